// The nodes and relationships of a query's rows, as a graph beside what is known of the chosen one.

import { useMemo } from 'preact/hooks';
import type { EdgeView, NodeView } from '../api/types';
import { place, setQuery } from '../route';
import { Canvas } from './canvas';
import { fitted } from './drawn';
import { Details } from './details';
import { PLAIN, opened, picture } from './picture';
import '../style/graph.css';

export function RowsGraph({ nodes, edges }: { nodes: NodeView[]; edges: EdgeView[] }) {
  // What is open and what is chosen stands in the address, as on every page with a drawing.
  const { open: names = '', sel: chosen = null } = place.value.query;
  const open = useMemo(() => new Set(names.split('|').filter(Boolean)), [names]);
  const setOpen = (open: Set<string>) => setQuery({ open: [...open].join('|'), sel: null });
  const setChosen = (sel: string | null) => setQuery({ sel });
  const drawn = useMemo(() => fitted(picture({ nodes, edges, seeds: [] }, { ...PLAIN, open }), { width: innerWidth > 760 ? innerWidth - 260 : 360, height: 380 }), [nodes, edges, open]);
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
