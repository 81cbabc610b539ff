// A picture with its layout: what the canvas, the SVG and the measuring of text agree on.

import { type Layout, layered } from './layout';
import type { Line, Picture, Shape } from './picture';

export interface Drawn extends Layout {
  picture: Picture;
  sizes: Map<string, { width: number; height: number }>;
}

/** Width of a character of the labels' font, in pixels. */
const CHARACTER = 7.25;

export function caption(shape: Shape): string {
  return shape.node ? shape.text : `${shape.text}  ${shape.members.toLocaleString('en-US')}`;
}

export function draw(picture: Picture): Drawn {
  const sizes = new Map(picture.shapes.map((shape) => [shape.id, { width: Math.round(caption(shape).length * CHARACTER) + 22, height: shape.node ? 28 : 34 }]));
  const items = picture.shapes.map((shape) => ({ id: shape.id, box: shape.box, seed: shape.seed, ...(sizes.get(shape.id) as { width: number; height: number }) }));
  const began = performance.now();
  const layout = layered(items, picture.lines);
  // Seen in a browser's own tools, and by the benchmark.
  performance.measure('layout', { start: began });
  return { ...layout, picture, sizes };
}

/** How an edge kind is drawn: flows are solid, arguments dashed, results dotted, the rest thin. */
export function stroke(kind: string): 'solid' | 'dashed' | 'dotted' {
  if (kind === 'PASSES_TO' || kind === 'CALLS') return 'dashed';
  if (kind === 'RETURNS_TO') return 'dotted';
  return 'solid';
}

export const weight = (line: Line): number => Math.min(5, 1.2 + Math.log2(line.edges.length));
