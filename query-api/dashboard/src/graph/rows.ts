// What Cypher returns, as nodes and edges. A row may hold nodes, relationships, paths, and lists of these.

import type { Answer, EdgeView, NodeView, Value } from '../api/types';

type Fields = { [key: string]: Value };

const isFields = (value: Value | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export function isNode(value: Value | undefined): boolean {
  return isFields(value) && Array.isArray(value.labels) && isFields(value.properties);
}

export function isRelationship(value: Value | undefined): boolean {
  return isFields(value) && typeof value.type === 'string' && isFields(value.properties) && 'start' in value && 'end' in value;
}

export function isPath(value: Value | undefined): boolean {
  return isFields(value) && Array.isArray(value.nodes) && Array.isArray(value.relationships);
}

/** A node as Cypher returns it; null for anything else. */
export function asNode(value: Value | undefined): NodeView | null {
  if (!isNode(value)) return null;
  const { labels, properties } = value as { labels: Value[]; properties: Fields };
  const text = (name: string) => (typeof properties[name] === 'string' ? (properties[name] as string) : '');
  const number = (name: string) => (typeof properties[name] === 'number' ? (properties[name] as number) : 0);
  return {
    id: number('id'),
    label: String(labels[0] ?? ''),
    kind: text('kind'),
    name: text('name'),
    qualified_name: text('qualified_name'),
    language: text('language'),
    file: text('file'),
    line: number('line'),
    end_line: number('end_line'),
    signature: text('signature'),
    doc: text('doc'),
    type: text('type'),
    test: properties.test === true,
    tags: text('tags').split(' ').filter(Boolean),
  };
}

/** A relationship; its ends are the engine's own ids, which `ends` turns into ours. */
export function asEdge(value: Value | undefined, ends: (id: Value) => number | undefined): EdgeView | null {
  if (!isRelationship(value)) return null;
  const fields = value as { type: string; start: Value; end: Value; properties: Fields };
  const [from, to] = [ends(fields.start), ends(fields.end)];
  if (from === undefined || to === undefined) return null;
  const text = (name: string) => (typeof fields.properties[name] === 'string' ? (fields.properties[name] as string) : '');
  const number = (name: string) => (typeof fields.properties[name] === 'number' ? (fields.properties[name] as number) : 0);
  return {
    from, to, kind: fields.type, how: text('how'), file: text('file'), line: number('line'), col: number('col'), rule: text('rule'),
    confidence: number('confidence'),
  };
}

/** Every node and relationship in the rows, each once. Relationships whose ends are not among the nodes are left out. */
export function graphOf(answer: Answer): { nodes: NodeView[]; edges: EdgeView[] } {
  const ids = new Map<Value, number>();
  const nodes = new Map<number, NodeView>();
  const relationships: Value[] = [];
  const visit = (value: Value | undefined): void => {
    const node = asNode(value);
    if (node) {
      ids.set((value as Fields).id as Value, node.id);
      nodes.set(node.id, node);
    } else if (isRelationship(value)) {
      relationships.push(value as Value);
    } else if (isPath(value)) {
      const path = value as { nodes: Value[]; relationships: Value[] };
      path.nodes.forEach(visit);
      path.relationships.forEach(visit);
    } else if (Array.isArray(value)) {
      value.forEach(visit);
    }
  };
  for (const row of answer.rows) row.forEach(visit);
  const edges = new Map<string, EdgeView>();
  for (const relationship of relationships) {
    const edge = asEdge(relationship, (id) => ids.get(id));
    if (edge) edges.set(edgeKey(edge), edge);
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

export const edgeKey = (edge: EdgeView): string => `${edge.from}>${edge.to}:${edge.kind}:${edge.how}:${edge.line}:${edge.col}`;
