// The shapes of the REST interface that the pages read. What the server describes comes out of `openapi.ts`, which `npm run types`
// writes; the rest stands below until its doors are described there.

import type { components } from './openapi';

type Shapes = components['schemas'];

export type NodeView = Shapes['NodeView'];
export type EdgeView = Shapes['EdgeView'];
export type Excerpt = Shapes['Excerpt'];
export type Verdict = Shapes['Verdict'];
export type BoundQuery = Shapes['CypherText'];
export type OperationAnswer = Shapes['OperationAnswer'];
export type OperationInfo = Shapes['OperationView'];
export type SearchAnswer = Shapes['SearchAnswer'];
export type ImpactReport = Shapes['ImpactReport'];
export type Generations = Shapes['Generations'];
export type Commit = Shapes['Commit'];
export type Named = Shapes['Named'];
export type Schema = Shapes['Schema'];
export type Status = Shapes['Status'];
export type Failure = Shapes['Failure'];

export type Id = number;

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Answer to a Cypher query. */
export interface Answer {
  columns: string[];
  types: string[];
  rows: Value[][];
  truncated: boolean;
  elapsed_ms: number;
}

export interface Citation {
  symbol: string;
  file: string;
  line: number;
  verified: boolean;
  node: Id | null;
}

export interface AskAnswer {
  text: string;
  way: string;
  citations: Citation[];
  verified: number;
  unverified: number;
  verdict: Verdict;
  cypher: BoundQuery[];
  operation: OperationAnswer | null;
  rows: Answer | null;
  seeds: { node: NodeView; score: number }[];
  trace: { stage: string; ms: number; detail: string }[];
  model: string | null;
  usage: { prompt_tokens: number; completion_tokens: number; calls: number };
  context: unknown;
}

export interface Community {
  id: number;
  name: string;
  level: number;
  parent: number | null;
  size: number;
  top: NodeView[];
  summary: string;
  links: { to: number; weight: number }[];
}

