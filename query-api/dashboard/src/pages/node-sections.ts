// What stands around a node: one table of sections, each a query that anyone can run. `x` is the neighbour, `r` the edge.

export interface Section {
  title: string;
  /** What it tells, for someone who does not know the graph's words. */
  hint: string;
  query: string;
}

const ends = 'RETURN x, r ORDER BY x.test, r.confidence DESC, x.file, x.line';
const to = (label: string, kinds: string, other = 'x') => `MATCH (n:${label} {id: $id})-[r:${kinds}]->(${other}) ${ends}`;
const from = (label: string, kinds: string, other = 'x') => `MATCH (n:${label} {id: $id})<-[r:${kinds}]-(${other}) ${ends}`;

const FLOWS = 'FLOWS_TO|PASSES_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO';

const flows = (label: string): Section[] => [
  { title: 'Flows in', hint: 'values that come here', query: from(label, FLOWS) },
  { title: 'Flows out', hint: 'where its value goes', query: to(label, FLOWS) },
];

const SECTIONS: Record<string, Section[]> = {
  Function: [
    { title: 'Callers', hint: 'who calls it', query: from('Function', 'CALLS') },
    { title: 'Callees', hint: 'what it calls', query: to('Function', 'CALLS') },
    {
      title: 'Flows in',
      hint: 'values that arrive in its parameters',
      query: `MATCH (n:Function {id: $id})-[:CONTAINS]->(p:Variable)<-[r:PASSES_TO]-(x) ${ends}`,
    },
    {
      title: 'Flows out',
      hint: 'where its results go',
      query: `MATCH (n:Function {id: $id})-[:CONTAINS]->(p:Variable)-[r:RETURNS_TO]->(x) ${ends}`,
    },
    { title: 'Reads', hint: 'fields and globals', query: to('Function', 'READS') },
    { title: 'Writes', hint: 'fields and globals', query: to('Function', 'WRITES') },
    { title: 'Wire keys', hint: 'names it uses on the wire', query: to('Function', 'USES_KEY') },
    { title: 'Overrides', hint: 'the base method it replaces', query: to('Function', 'OVERRIDES') },
    { title: 'Overridden by', hint: 'methods that replace it', query: from('Function', 'OVERRIDES') },
    {
      title: 'Parameters and results',
      hint: 'its own variables',
      query: `MATCH (n:Function {id: $id})-[r:CONTAINS]->(x:Variable) WHERE x.kind IN ['parameter', 'receiver', 'result'] RETURN x, r ORDER BY x.line, x.col`,
    },
  ],
  Type: [
    { title: 'Fields', hint: 'its parts', query: to('Type', 'CONTAINS', 'x:Field') },
    { title: 'Methods', hint: 'its functions', query: to('Type', 'CONTAINS', 'x:Function') },
    { title: 'Bases', hint: 'what it inherits, embeds, implements', query: to('Type', 'INHERITS|EMBEDS|IMPLEMENTS') },
    { title: 'Below it', hint: 'types that inherit, embed or implement it', query: from('Type', 'INHERITS|EMBEDS|IMPLEMENTS') },
    { title: 'Constructed by', hint: 'who calls it', query: from('Type', 'CALLS') },
    { title: 'Held by', hint: 'variables and fields of this type', query: from('Type', 'HAS_TYPE') },
  ],
  Field: [
    { title: 'Readers', hint: 'functions that read it', query: from('Field', 'READS') },
    { title: 'Writers', hint: 'functions that write it', query: from('Field', 'WRITES') },
    ...flows('Field'),
    { title: 'On the wire', hint: 'what it is called outside', query: to('Field', 'SERIALIZED_AS') },
    { title: 'Type', hint: 'what it holds', query: to('Field', 'HAS_TYPE') },
  ],
  Variable: [
    ...flows('Variable'),
    { title: 'Readers', hint: 'functions that read it', query: from('Variable', 'READS') },
    { title: 'Writers', hint: 'functions that write it', query: from('Variable', 'WRITES') },
    { title: 'Type', hint: 'what it holds', query: to('Variable', 'HAS_TYPE') },
  ],
  Key: [
    { title: 'Fields of this name', hint: 'fields called so on the wire', query: from('Key', 'SERIALIZED_AS') },
    { title: 'Used by', hint: 'functions that name it', query: from('Key', 'USES_KEY') },
    ...flows('Key'),
  ],
  Package: [
    { title: 'Files and packages', hint: 'its parts', query: to('Package', 'CONTAINS') },
    { title: 'Imported by', hint: 'files that import it', query: from('Package', 'IMPORTS') },
  ],
  File: [
    { title: 'Declares', hint: 'types, functions and globals', query: to('File', 'CONTAINS') },
    { title: 'Imports', hint: 'packages it needs', query: to('File', 'IMPORTS') },
  ],
  External: [
    { title: 'Callers', hint: 'who calls it', query: from('External', 'CALLS') },
    { title: 'Imported by', hint: 'files that import it', query: from('External', 'IMPORTS') },
    { title: 'Values passed to it', hint: 'arguments', query: from('External', 'PASSES_TO') },
    { title: 'Results', hint: 'where what it returns goes', query: to('External', 'RETURNS_TO') },
  ],
};

/** Sections for a label; none for a label that is not known. */
export const sectionsOf = (label: string): Section[] => SECTIONS[label] ?? [];

/** A label that may stand in a query. */
export const isLabel = (label: string): boolean => label in SECTIONS;
