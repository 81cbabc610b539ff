// A picture as SVG and as Mermaid. Names from the code are escaped for each.

import { type Drawn, caption, curve, stroke, weight } from './drawn';
import type { Picture } from './picture';

export interface Colours {
  paper: string;
  surface: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  wash: string;
  onAccent: string;
}

export function svg(drawn: Drawn, colours: Colours): string {
  const parts: string[] = [];
  const round = (n: number) => Math.round(n * 10) / 10;
  for (const box of drawn.boxes) {
    parts.push(`<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" rx="10" fill="none" stroke="${colours.line}"/>`);
    parts.push(`<text x="${round(box.x + 12)}" y="${round(box.y + 18)}" font-size="11" fill="${colours.soft}">${xml(box.title)}</text>`);
  }
  for (const line of drawn.picture.lines) {
    const points = curve(drawn, line);
    if (!points) continue;
    const [start, one, two, end] = points.map((point) => `${round(point.x)} ${round(point.y)}`);
    const dash = { solid: '', dashed: ' stroke-dasharray="6 4"', dotted: ' stroke-dasharray="1.5 4"' }[stroke(line.kind)];
    parts.push(
      `<path d="M${start}C${one} ${two} ${end}" fill="none" stroke="${colours.soft}" stroke-width="${round(weight(line))}"${dash} marker-end="url(#arrow)"><title>${xml(line.kind || 'several kinds')}</title></path>`,
    );
  }
  for (const shape of drawn.picture.shapes) {
    const at = drawn.at.get(shape.id);
    const size = drawn.sizes.get(shape.id);
    if (!at || !size) continue;
    const [fill, text] = shape.seed ? [colours.accent, colours.onAccent] : [shape.node ? colours.surface : colours.wash, colours.ink];
    parts.push(`<rect x="${round(at.x - size.width / 2)}" y="${round(at.y - size.height / 2)}" width="${size.width}" height="${size.height}" rx="7" fill="${fill}" stroke="${colours.line}"/>`);
    parts.push(`<text x="${round(at.x)}" y="${round(at.y + 4)}" font-size="12" text-anchor="middle" fill="${text}">${xml(caption(shape))}</text>`);
  }
  const [width, height] = [Math.ceil(drawn.width) + 20, Math.ceil(drawn.height) + 40];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -20 ${width} ${height}" width="${width}" height="${height}" font-family="'Geist Mono', ui-monospace, monospace"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z" fill="${colours.soft}"/></marker></defs><rect x="-10" y="-20" width="${width}" height="${height}" fill="${colours.paper}"/>${parts.join('')}</svg>\n`;
}

export function mermaid(picture: Picture, down = false): string {
  const name = new Map(picture.shapes.map((shape, at) => [shape.id, `n${at}`]));
  const boxes = new Map<string, Picture['shapes']>();
  for (const shape of picture.shapes) boxes.set(shape.box, [...(boxes.get(shape.box) ?? []), shape]);
  const lines = [`flowchart ${down ? 'TB' : 'LR'}`];
  let number = 0;
  for (const [box, shapes] of boxes) {
    const indent = box ? '    ' : '  ';
    if (box) lines.push(`  subgraph s${number++}["${quoted(box)}"]`);
    for (const shape of shapes) lines.push(`${indent}${name.get(shape.id)}["${quoted(caption(shape))}"]`);
    if (box) lines.push('  end');
  }
  for (const line of picture.lines) {
    const arrow = stroke(line.kind) === 'solid' ? '-->' : '-.->';
    const words = line.edges.length > 1 ? `|${line.edges.length}|` : '';
    lines.push(`  ${name.get(line.from)} ${arrow}${words} ${name.get(line.to)}`);
  }
  const seeds = picture.shapes.filter((shape) => shape.seed).map((shape) => name.get(shape.id));
  if (seeds.length) lines.push(`  classDef seed stroke-width:3px`, `  class ${seeds.join(',')} seed`);
  return `${lines.join('\n')}\n`;
}

/** Mermaid reads entities with `#` in place of `&`; a quote, a bracket or a line end would end the label. */
function quoted(text: string): string {
  return text.replace(/[#"<>`&\\[\]{}|\r\n]/g, (char) => `#${char.charCodeAt(0)};`);
}

function xml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  // Control characters are not allowed in XML, not even escaped.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd').replace(/[&<>"']/g, (char) => names[char] ?? '');
}
