import type { EdgeView, NodeView } from '../api/types';
export function RowsGraph(_: { nodes: NodeView[]; edges: EdgeView[] }) { return null; }
