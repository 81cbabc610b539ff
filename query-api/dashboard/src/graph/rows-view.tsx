// The nodes and relationships of a query's rows, as a graph beside what is known of the chosen one.

import { useMemo, useState } from 'preact/hooks';
import type { EdgeView, NodeView } from '../api/types';
import { Canvas } from './canvas';
import { draw } from './drawn';
import { Details } from './details';
import { PLAIN, opened, picture } from './picture';
import '../style/graph.css';

export function RowsGraph({ nodes, edges }: { nodes: NodeView[]; edges: EdgeView[] }) {
  const [open, setOpen] = useState<Set<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const drawn = useMemo(() => draw(picture({ nodes, edges, seeds: [] }, { ...PLAIN, open })), [nodes, edges, open]);
  const shape = drawn.picture.shapes.find((shape) => shape.id === chosen) ?? null;
  return (
    <div class="graph-side">
      <Canvas drawn={drawn} chosen={chosen} onChoose={setChosen} />
      {shape && (
        <div class="graph-card">
          <Details shape={shape} drawn={drawn} onChoose={setChosen} onOpen={(group) => setOpen(opened(open, group))} onClose={() => setChosen(null)} />
        </div>
      )}
    </div>
  );
}
