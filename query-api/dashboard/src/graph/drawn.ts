// A picture with its layout: what the canvas, the SVG and the measuring of text agree on.

import { type Layout, layered } from './layout';
import type { Line, Picture, Shape } from './picture';

export interface Drawn extends Layout {
  picture: Picture;
  /** From top to bottom, not from left to right. */
  down: boolean;
  sizes: Map<string, { width: number; height: number }>;
}

/** Width of a character of the labels' font, in pixels. */
const CHARACTER = 7.25;

export function caption(shape: Shape): string {
  return shape.node ? shape.text : `${shape.text}  ${shape.members.toLocaleString('en-US')}`;
}

export function draw(picture: Picture, down = false): Drawn {
  const sizes = new Map(picture.shapes.map((shape) => [shape.id, { width: Math.round(caption(shape).length * CHARACTER) + 22, height: shape.node ? 28 : 34 }]));
  const items = picture.shapes.map((shape) => ({ id: shape.id, box: shape.box, seed: shape.seed, ...(sizes.get(shape.id) as { width: number; height: number }) }));
  const began = performance.now();
  const layout = layered(items, picture.lines, down);
  // Seen in a browser's own tools, and by the benchmark.
  performance.measure('layout', { start: began });
  return { ...layout, picture, sizes, down };
}

/** Shapes up to which both directions are tried: that costs hundredths of a second. */
const TRIED = 400;

/** Drawn in the direction that is asked for, or else in the one that is larger when all of it is in a view of this size. */
export function fitted(picture: Picture, view: { width: number; height: number }, direction?: string): Drawn {
  if (direction === 'right' || direction === 'down') return draw(picture, direction === 'down');
  const right = draw(picture);
  if (picture.shapes.length > TRIED) return right;
  const down = draw(picture, true);
  const zoom = (drawn: Drawn) => Math.min(1, view.width / (drawn.width + 48), view.height / (drawn.height + 48));
  return zoom(down) > 1.1 * zoom(right) ? down : right;
}

/** A line as an S from side to side, level (or upright) at both ends: its ends and the points that bend it. */
export function curve(drawn: Drawn, line: Line): [Point, Point, Point, Point] | null {
  const [from, to] = [drawn.at.get(line.from), drawn.at.get(line.to)];
  const [a, b] = [drawn.sizes.get(line.from), drawn.sizes.get(line.to)];
  if (!from || !to || !a || !b) return null;
  if (drawn.down) {
    const [start, end] = [{ x: from.x, y: from.y + a.height / 2 }, { x: to.x, y: to.y - b.height / 2 }];
    const middle = (start.y + end.y) / 2;
    return [start, { x: start.x, y: middle }, { x: end.x, y: middle }, end];
  }
  const [start, end] = [{ x: from.x + a.width / 2, y: from.y }, { x: to.x - b.width / 2, y: to.y }];
  const middle = (start.x + end.x) / 2;
  return [start, { x: middle, y: start.y }, { x: middle, y: end.y }, end];
}

interface Point {
  x: number;
  y: number;
}

/** How an edge kind is drawn: flows are solid, arguments dashed, results dotted, the rest thin. */
export function stroke(kind: string): 'solid' | 'dashed' | 'dotted' {
  if (kind === 'PASSES_TO' || kind === 'CALLS') return 'dashed';
  if (kind === 'RETURNS_TO') return 'dotted';
  return 'solid';
}

export const weight = (line: Line): number => Math.min(5, 1.2 + Math.log2(line.edges.length));
