import { expect, test } from 'vitest';
import { type Item, type Layout, layered } from './layout';

const item = (id: string, box = '', seed = false): Item => ({ id, width: 100, height: 28, box, seed });
const x = (layout: Layout, id: string) => layout.at.get(id)?.x ?? Number.NaN;

/** A graph that looks like a ripple, the same each time. */
function ripple(n: number, boxes: number) {
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const items = Array.from({ length: n }, (_, at) => item(String(at), boxes ? `b${Math.floor((at * boxes) / n)}` : '', at === 0));
  const ties = [];
  for (let at = 1; at < n; at += 1) {
    ties.push({ from: String(Math.max(0, Math.floor(at - 1 - random() * random() * 60))), to: String(at) });
    if (random() < 0.5) ties.push({ from: String(Math.floor(random() * at)), to: String(at) });
  }
  return { items, ties };
}

test('causes stand left of effects', () => {
  const layout = layered([item('c'), item('a', '', true), item('b')], [{ from: 'a', to: 'b' }, { from: 'b', to: 'c' }, { from: 'a', to: 'c' }]);
  expect(x(layout, 'a')).toBeLessThan(x(layout, 'b'));
  expect(x(layout, 'b')).toBeLessThan(x(layout, 'c'));
});

test('a cycle has an end', () => {
  const layout = layered([item('a', '', true), item('b'), item('c')], [{ from: 'a', to: 'b' }, { from: 'b', to: 'c' }, { from: 'c', to: 'a' }, { from: 'a', to: 'a' }]);
  expect(x(layout, 'a')).toBeLessThan(x(layout, 'b'));
  expect(layout.at.size).toBe(3);
});

test('from top to bottom, causes stand above effects', () => {
  const layout = layered([item('c'), item('a', '', true), item('b')], [{ from: 'a', to: 'b' }, { from: 'b', to: 'c' }], true);
  const y = (id: string) => layout.at.get(id)?.y ?? Number.NaN;
  expect(y('a')).toBeLessThan(y('b'));
  expect(y('b')).toBeLessThan(y('c'));
});

test('nothing lies on anything else', () => {
  for (const [boxes, down] of [[0, false], [12, false], [0, true], [12, true]] as const) {
    const { items, ties } = ripple(300, boxes);
    const layout = layered(items, ties, down);
    const frames = items.map((i) => ({ ...(layout.at.get(i.id) as { x: number; y: number }), w: i.width, h: i.height }));
    for (let a = 0; a < frames.length; a += 1) {
      for (let b = a + 1; b < frames.length; b += 1) {
        const [f, g] = [frames[a], frames[b]];
        if (!f || !g) continue;
        expect(Math.abs(f.x - g.x) >= (f.w + g.w) / 2 || Math.abs(f.y - g.y) >= (f.h + g.h) / 2, `${a} and ${b}`).toBe(true);
      }
    }
    for (let a = 0; a < layout.boxes.length; a += 1) {
      for (let b = a + 1; b < layout.boxes.length; b += 1) {
        const [f, g] = [layout.boxes[a], layout.boxes[b]];
        if (!f || !g) continue;
        expect(f.x + f.width <= g.x || g.x + g.width <= f.x || f.y + f.height <= g.y || g.y + g.height <= f.y, `${f.id} and ${g.id}`).toBe(true);
      }
    }
  }
});

test.each([false, true])('members stand within a box of their name', (down) => {
  const { items, ties } = ripple(120, 6);
  const layout = layered(items, ties, down);
  for (const one of items) {
    const at = layout.at.get(one.id) as { x: number; y: number };
    const inside = layout.boxes.some((box) => box.title === one.box && at.x - 50 >= box.x && at.x + 50 <= box.x + box.width && at.y - 14 >= box.y && at.y + 14 <= box.y + box.height);
    expect(inside, one.id).toBe(true);
  }
});

test('nothing to lay out is no fault', () => {
  expect(layered([], [])).toMatchObject({ boxes: [], height: 0 });
  expect(layered([item('a')], [{ from: 'a', to: 'gone' }]).at.size).toBe(1);
});
