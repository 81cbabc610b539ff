// The shapes of the REST interface that the pages read, by the names that they have here. All of them come out of `openapi.ts`, which
// `npm run types` writes from the server's own description; a test in a browser says when it has drifted.

import type { components } from './openapi';

type Shapes = components['schemas'];

export type AskAnswer = Omit<Shapes['AskAnswer'], 'rows'> & { rows?: Answer | null };
export type AskRequest = Shapes['AskRequest'];
export type BoundQuery = Shapes['CypherText'];
export type Citation = Shapes['Citation'];
export type Commit = Shapes['Commit'];
export type Communities = Shapes['Communities'];
export type Community = Shapes['CommunityView'];
export type EdgeView = Shapes['EdgeView'];
export type Examples = Shapes['Examples'];
export type Excerpt = Shapes['Excerpt'];
export type Failure = Shapes['Failure'];
export type Feedback = Shapes['Feedback'];
export type FeedbackStored = Shapes['FeedbackStored'];
export type Finding = Shapes['Finding'];
export type Generations = Shapes['Generations'];
export type History = Shapes['History'];
export type ImpactReport = Shapes['ImpactReport'];
export type ImpactRequest = Shapes['ImpactRequest'];
export type NodeView = Shapes['NodeView'];
export type OperationAnswer = Shapes['OperationAnswer'];
export type OperationInfo = Shapes['OperationView'];
export type Operations = Shapes['Operations'];
export type Question = Shapes['Question'];
export type Running = Shapes['Running'];
export type Schema = Shapes['Schema'];
export type SearchAnswer = Shapes['SearchAnswer'];
export type SearchRequest = Shapes['SearchRequest'];
export type SeedView = Shapes['SeedView'];
export type Status = Shapes['Status'];
export type TraceStep = Shapes['TraceStep'];
export type Verdict = Shapes['Verdict'];
export type Way = Shapes['Way'];

/** What Cypher returns. The description leaves it open, as the engine does. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Answer to a Cypher query. */
export type Answer = Omit<Shapes['Answer'], 'rows'> & { rows: Value[][] };
