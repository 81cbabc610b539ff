// The shapes of the REST interface that the pages read. Names are those of `/openapi.json`.

export type Id = number;

export interface NodeView {
  id: Id;
  label: string;
  kind: string;
  name: string;
  qualified_name: string;
  language: string;
  file: string;
  line: number;
  end_line: number;
  signature: string;
  doc: string;
  type: string;
  test: boolean;
  tags: string[];
}

export interface EdgeView {
  from: Id;
  to: Id;
  kind: string;
  how: string;
  file: string;
  line: number;
  col: number;
  rule: string;
  confidence: number;
}

export interface Excerpt {
  file: string;
  line: number;
  end_line: number;
  text: string;
  language: string;
}

export interface Verdict {
  level: 'complete' | 'lower bound' | 'unknown';
  reasons: { code: string; message: string; count: number }[];
}

export interface BoundQuery {
  text: string;
  params: Record<string, unknown>;
}

export interface OperationAnswer {
  operation: string;
  parameters: Record<string, unknown>;
  seeds: NodeView[];
  results: { node: Id; distance: number; confidence: number; path: number | null; relation: string }[];
  groups: { package: string; results: number[] }[];
  nodes: Record<string, NodeView>;
  edges: EdgeView[];
  paths: { nodes: Id[]; edges: number[]; confidence: number }[];
  entry_points: Id[];
  tests: Id[];
  verdict: Verdict;
  cypher: BoundQuery[];
  source?: Excerpt[];
  truncated: boolean;
  /** Results before the limit. */
  found: number;
  elapsed_ms: number;
}

export interface OperationInfo {
  name: string;
  summary: string;
  parameters: { name: string; type: string; required: boolean; default: unknown; doc: string }[];
  cypher: string;
  example: unknown;
}

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Answer to a Cypher query. */
export interface Answer {
  columns: string[];
  types: string[];
  rows: Value[][];
  truncated: boolean;
  elapsed_ms: number;
}

export interface Failure {
  error: { code: string; message: string; span?: { start: number; end: number }; hint?: string };
}

export interface SearchAnswer {
  hits: {
    node: NodeView | null;
    file: string;
    line: number;
    end_line: number;
    score: number;
    sources: { source: string; rank: number; score: number }[];
    excerpt: string;
  }[];
  faq: { question: string; answer: string; files: string[] }[];
  elapsed_ms: number;
  notes: string[];
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

export interface ImpactReport {
  changed: { node: Id; file: string; lines: [number, number]; change: string }[];
  answer: OperationAnswer;
  /** Files of the change that the index does not hold. */
  unknown_files?: string[];
  tests_to_run: Id[];
  markdown: string;
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

export interface Generations {
  current: string;
  generations: {
    name: string;
    built_at: number;
    files: number;
    lines: number;
    nodes: number;
    relationships: number;
    seconds: number;
  }[];
  running: null | { stage: string; done: number; total: number; started_at: number };
}

export interface Commit {
  hash: string;
  author: string;
  date: string;
  subject: string;
}

export interface Named {
  name: string;
  doc: string;
}

export interface Schema {
  format_version: number;
  labels: Named[];
  node_properties: (Named & { type: string })[];
  relationships: (Named & { joins: { from: string; to: string }[] })[];
  relationship_properties: (Named & { type: string })[];
  hows: Named[];
  rules: (Named & { confidence: number; measured: boolean })[];
  languages: Named[];
}

export interface Status {
  index: string;
  generation: string;
  ripple_version: string;
  created: number;
  age_seconds: number;
  database_bytes: number;
  roots: { path: string; prefix: string }[];
  nodes: Record<string, number>;
  relationships: Record<string, number>;
  files: { language: string; status: string; files: number; lines: number; bytes: number }[];
  troubles: Record<string, number>;
  calls: Record<
    string,
    {
      resolved: number;
      external: number;
      unresolved: number;
      resolved_percent: number;
      external_percent: number;
      unresolved_percent: number;
    }
  >;
  files_in_trouble?: { path: string; line: number; code: string; message: string }[];
  work_tree?: { moved_on: boolean; changed: string[]; added: string[]; removed: string[] };
  work_tree_error?: string;
}
