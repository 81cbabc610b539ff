// The drawing itself: Cytoscape on a canvas, with places that were worked out before. It shows and picks; what is shown is
// decided outside. The list beside it says the same for those who do not see it.

import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from 'cytoscape';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icons';
import { dark } from '../ui/theme';
import { type Drawn, caption, curve, stroke, weight } from './drawn';
import type { Colours } from './export';

interface Props {
  drawn: Drawn;
  /** Id of the shape that is looked at. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** Ids to make stand out, such as a path. */
  lit?: Set<string> | undefined;
  onReady?: (handle: Handle) => void;
}

export interface Handle {
  png: () => Promise<Blob>;
  core: Core;
}

/** Edges beyond which they are drawn straight and without heads: curves cost frames. */
const CURVED = 500;

/** Lines beyond which they would cover what they join. */
const CROWDED = 160;

export function Canvas({ drawn, chosen, onChoose, lit, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const many = drawn.picture.lines.length > CURVED || drawn.picture.shapes.length > CURVED;
    const cy = cytoscape({
      container: element,
      elements: elements(drawn, !many),
      layout: { name: 'preset' },
      style: look(colours(element)),
      minZoom: 0.03,
      maxZoom: 2.5,
      autoungrabify: true,
      boxSelectionEnabled: false,
      // While it moves, a large drawing is moved as a picture.
      textureOnViewport: many,
      hideEdgesOnViewport: false,
      pixelRatio: many ? 1 : 'auto',
    });
    core.current = cy;
    home(cy);
    cy.on('tap', (event) => choose.current(event.target === cy ? null : event.target.data('pick') ? event.target.id() : null));
    cy.on('mouseover', '[?pick]', () => element.classList.add('pointing'));
    cy.on('mouseout', '[?pick]', () => element.classList.remove('pointing'));
    const size = new ResizeObserver(() => cy.resize());
    size.observe(element);
    onReady?.({ core: cy, png: async () => cy.png({ output: 'blob-promise', full: true, scale: 2, maxWidth: 8000, maxHeight: 8000, bg: colours(element).paper }) as unknown as Promise<Blob> });
    return () => {
      size.disconnect();
      core.current = null;
      cy.destroy();
    };
  }, [drawn]);

  const theme = dark.value;
  useEffect(() => {
    if (host.current) core.current?.style(look(colours(host.current)));
  }, [theme]);

  useEffect(() => {
    const cy = core.current;
    if (!cy) return;
    cy.batch(() => {
      cy.elements().removeClass('chosen near far');
      const start = lit?.size ? cy.elements().filter((element) => lit.has(element.id())) : chosen ? cy.getElementById(chosen).closedNeighborhood() : null;
      if (!start?.length) return;
      cy.elements('[?pick], edge').not(start).addClass('far');
      start.addClass('near');
      if (chosen) cy.getElementById(chosen).removeClass('near').addClass('chosen');
    });
    // The whole way is brought into sight, unless it can be read where it is.
    const way = lit?.size ? cy.nodes().filter((node) => lit.has(node.id())) : chosen ? cy.getElementById(chosen) : null;
    if (!way?.length || (within(cy, way.boundingBox()) && cy.zoom() > 0.45)) return;
    const box = way.boundingBox();
    const zoom = Math.min(1, (cy.width() - 80) / box.w, (cy.height() - 80) / box.h);
    const pan = { x: cy.width() / 2 - ((box.x1 + box.x2) / 2) * zoom, y: cy.height() / 2 - ((box.y1 + box.y2) / 2) * zoom };
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) cy.viewport({ zoom, pan });
    else cy.animate({ zoom, pan, duration: 250, easing: 'ease-out-cubic' });
  }, [drawn, chosen, lit]);

  const zoom = (factor: number) => {
    const cy = core.current;
    if (cy) cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  };
  const press = (event: KeyboardEvent) => {
    const cy = core.current;
    const pan = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
    if (!cy) return;
    if (pan) cy.panBy({ x: pan[0] as number, y: pan[1] as number });
    else if (event.key === '+' || event.key === '=') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === '0') home(cy);
    else if (event.key === 'n' || event.key === 'p') onChoose(beside(drawn, chosen, event.key === 'n' ? 1 : -1));
    else if (event.key === 'Escape' && chosen) onChoose(null);
    else return;
    event.preventDefault();
  };
  return (
    <div class="canvas-box">
      <div
        class="canvas"
        ref={host}
        tabIndex={0}
        role="img"
        aria-label={`Drawing of ${drawn.picture.shapes.length} places and ${drawn.picture.lines.length} edges. Arrow keys move it, plus and minus zoom, n and p choose the next place and the one before.`}
        onKeyDown={press}
      />
      <div class="canvas-tools">
        <button type="button" class="button icon-only" aria-label="Zoom in" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="button icon-only" aria-label="Zoom out" onClick={() => zoom(0.8)}>
          <svg class="icon" width="18" height="18" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M4.500 10h11" />
          </svg>
        </button>
        <button type="button" class="button icon-only" aria-label="Show all of it" onClick={() => core.current && home(core.current, true)}>
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}

/** The next place, from cause to effect, or the one before. */
function beside(drawn: Drawn, chosen: string | null, step: 1 | -1): string | null {
  const along = (id: string) => {
    const { x = 0, y = 0 } = drawn.at.get(id) ?? {};
    return drawn.down ? [y, x] : [x, y];
  };
  const order = drawn.picture.shapes.map((shape) => shape.id).sort((a, b) => {
    const [first, second] = [along(a), along(b)];
    return (first[0] ?? 0) - (second[0] ?? 0) || (first[1] ?? 0) - (second[1] ?? 0);
  });
  const at = chosen === null ? (step > 0 ? -1 : order.length) : order.indexOf(chosen);
  return order[(at + step + order.length) % order.length] ?? null;
}

/** Smallest size at which labels can be read, and the size at which reading begins where not all of it fits. */
const READABLE = 0.5;
const READING = 0.8;

/** All of it if that can be read; else the beginning, with as much of the rest around it as there is room for. */
function home(cy: Core, all = false): void {
  cy.fit(undefined, 24);
  if (all) return;
  const zoom = cy.zoom();
  if (zoom > 1.15) cy.zoom(1.15), cy.center();
  if (zoom >= READABLE) return;
  const whole = cy.nodes('[?pick]').boundingBox();
  const seeds = cy.nodes('[?seed]');
  const start = (seeds.length ? seeds : cy.nodes('[?pick]').first()).boundingBox();
  cy.viewport({ zoom: READING, pan: { x: pan(cy.width(), whole.x1, whole.x2, start.x1, start.x2), y: pan(cy.height(), whole.y1, whole.y2, start.y1, start.y2) } });
}

/** A beginning at the left of the whole stands at the left of the view, one in the middle in the middle, and so on. */
function pan(size: number, first: number, last: number, from: number, to: number): number {
  const room = size / READING;
  if (last - first + 60 <= room) return size / 2 - ((first + last) / 2) * READING;
  const share = Math.min(1, Math.max(0, (from - first) / Math.max(1, last - first - (to - from))));
  const margin = 36;
  return (margin + share * (room - (to - from) - 2 * margin) - from) * READING;
}

function within(cy: Core, box: { x1: number; x2: number; y1: number; y2: number }): boolean {
  const view = cy.extent();
  return box.x1 >= view.x1 && box.x2 <= view.x2 && box.y1 >= view.y1 && box.y2 <= view.y2;
}

function elements(drawn: Drawn, curved: boolean): ElementDefinition[] {
  const boxes = drawn.boxes.map((box): ElementDefinition => ({
    data: { id: box.id, text: clipped(box.title, box.width), w: box.width, h: box.height, left: titleShift(box) },
    position: { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    classes: 'box',
    selectable: false,
  }));
  const shapes = drawn.picture.shapes.map((shape): ElementDefinition => {
    const size = drawn.sizes.get(shape.id);
    const classes = [shape.node ? `l-${shape.node.label.toLowerCase()}` : 'group', shape.seed ? 'seed' : '', shape.node?.test ? 'test' : ''];
    return {
      data: { id: shape.id, text: caption(shape), w: size?.width, h: size?.height, pick: true, seed: shape.seed },
      position: { ...(drawn.at.get(shape.id) ?? { x: 0, y: 0 }) },
      classes: classes.join(' '),
    };
  });
  // Among many lines each is thin and faint, so that the places can be read; the chosen one's stand out again.
  const crowded = drawn.picture.lines.length > CROWDED;
  const lines = drawn.picture.lines.map((line): ElementDefinition => {
    const points = curve(drawn, line);
    const [start, bend, , end] = points ?? [{ x: 0, y: 0 }, { x: 0, y: 0 }, { x: 0, y: 0 }, { x: 0, y: 0 }];
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    // Cytoscape wants the points that bend it along and across the straight line.
    const along = ((bend.x - start.x) * dx + (bend.y - start.y) * dy) / (length * length);
    const across = ((bend.y - start.y) * dx - (bend.x - start.x) * dy) / length;
    const [forth, aside] = drawn.down ? [dy, dx] : [dx, dy];
    return {
      data: { id: line.id, source: line.from, target: line.to, wide: crowded ? Math.min(2, weight(line) / 2) : weight(line), across: `${across} ${-across}`, along: `${along} ${1 - along}`, faint: (crowded ? 0.45 : 1) * (0.35 + 0.65 * line.confidence) },
      classes: `${stroke(line.kind)} ${curved && forth > 0 && Math.abs(aside) > 2 ? 'curved' : ''} ${curved ? 'headed' : ''} ${drawn.down ? 'down' : ''}`,
    };
  });
  return [...boxes, ...shapes, ...lines];
}

/** Width of a character of a box's title. */
const TITLE = 6.65;

/** The end of a path says more than its beginning. */
function clipped(title: string, width: number): string {
  const fits = Math.max(6, Math.floor((width - 20) / TITLE));
  return title.length <= fits ? title : `…${title.slice(title.length - fits + 1)}`;
}

/** Titles stand at the left, where a box begins. */
function titleShift(box: { title: string; width: number }): number {
  return (clipped(box.title, box.width).length * TITLE) / 2 + 12 - box.width / 2;
}

/** The colours of the page, as its style sheet has them now. */
export function colours(element: Element = document.documentElement): Colours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    paper: value('--paper'), surface: value('--surface'), ink: value('--ink'), soft: value('--faint'), line: value('--line-strong'), accent: value('--accent'),
    wash: value('--wash'), onAccent: value('--accent-ink'),
  };
}

function look(c: Colours): StylesheetJson {
  const font = 'Geist Mono Variable, ui-monospace, monospace';
  return [
    {
      selector: 'node',
      style: {
        shape: 'round-rectangle', width: 'data(w)', height: 'data(h)', label: 'data(text)', 'text-valign': 'center', 'text-halign': 'center', 'font-family': font,
        'font-size': 12, color: c.ink, 'background-color': c.surface, 'border-width': 1, 'border-color': c.line, 'min-zoomed-font-size': 6, 'z-index': 2,
      },
    },
    {
      selector: 'node.box',
      style: {
        'background-opacity': 0, 'border-width': 1, 'border-color': c.line, 'border-style': 'solid', 'text-valign': 'top', 'text-halign': 'center', 'text-margin-y': 20,
        'font-size': 11, color: c.soft, 'text-background-color': c.paper, 'text-background-opacity': 0.85, 'text-background-padding': '2px', 'z-index': 0, events: 'no', 'text-margin-x': 'data(left)' as unknown as number,
      },
    },
    { selector: 'node.l-key', style: { shape: 'cut-rectangle', 'border-color': c.accent } },
    { selector: 'node.l-external', style: { 'border-style': 'dashed' } },
    { selector: 'node.l-function, node.l-type', style: { 'background-color': c.wash } },
    { selector: 'node.test', style: { 'border-style': 'dotted', 'border-width': 2 } },
    { selector: 'node.group', style: { 'background-color': c.wash, 'border-color': c.accent, 'border-width': 1.5 } },
    { selector: 'node.seed', style: { 'background-color': c.accent, color: c.onAccent, 'border-color': c.accent } },
    {
      selector: 'edge',
      style: {
        width: 'data(wide)', 'line-color': c.soft, 'line-opacity': 'data(faint)' as unknown as number, 'curve-style': 'straight', 'source-endpoint': '90deg', 'target-endpoint': '270deg',
        'target-arrow-color': c.soft, 'arrow-scale': 0.8, 'z-index': 1, events: 'no',
      },
    },
    { selector: 'edge.down', style: { 'source-endpoint': '180deg', 'target-endpoint': '0deg' } },
    { selector: 'edge.headed', style: { 'target-arrow-shape': 'triangle' } },
    {
      selector: 'edge.curved',
      style: { 'curve-style': 'unbundled-bezier', 'control-point-distances': 'data(across)' as unknown as number[], 'control-point-weights': 'data(along)' as unknown as number[], 'edge-distances': 'endpoints' },
    },
    { selector: 'edge.dashed', style: { 'line-style': 'dashed', 'line-dash-pattern': [6, 4] } },
    { selector: 'edge.dotted', style: { 'line-style': 'dashed', 'line-dash-pattern': [1.5, 4] } },
    { selector: '.far', style: { opacity: 0.22 } },
    { selector: 'edge.near', style: { width: 2.5, 'line-color': c.accent, 'target-arrow-color': c.accent, 'line-opacity': 1 } },
    { selector: 'node.near', style: { 'border-color': c.accent } },
    { selector: 'node.chosen', style: { 'border-color': c.accent, 'border-width': 3 } },
    { selector: 'core', style: { 'active-bg-opacity': 0 } as never },
  ] as StylesheetJson;
}
