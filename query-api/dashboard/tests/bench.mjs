// How fast a large ripple is drawn and moved: `npm run build && npm run bench`. Needs no server; answers are made here.
// Prints, for each size: milliseconds from asking to the finished drawing, of these in the layout, and frames a second while it is dragged.

import http from 'node:http';
import { chromium } from 'playwright-core';
import { asset } from '../dev/serve.mjs';

const server = http.createServer((request, response) => {
  if (!asset(request, response)) response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/ui/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

for (const [nodes, fold, words] of [[200, '', '200 nodes'], [1000, '0', '1,000 nodes, all drawn'], [1000, '', '1,000 nodes, collapsed to files'], [5000, '', '5,000 nodes, collapsed to files'], [5000, '0', '5,000 nodes, all drawn']]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 840 } });
  const answer = ripple(nodes);
  await page.route('**/api/v1/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    const body = path.endsWith('/operations') ? { operations: [] } : path.includes('/operations/') ? answer : { columns: [], types: [], rows: [], truncated: false, elapsed_ms: 0 };
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify(body) });
  });
  await page.goto(`${url}#/ripple?target=small`);
  await page.locator('.canvas canvas').first().waitFor();
  const drawing = await page.evaluate(async (hash) => {
    performance.clearMeasures('layout');
    const label = document.querySelector('.canvas')?.getAttribute('aria-label');
    const began = performance.now();
    location.hash = hash;
    // Done when the drawing is another and two frames have passed.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (performance.getEntriesByName('layout').length) break;
    }
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return { whole: performance.now() - began, layout: performance.getEntriesByName('layout').at(-1)?.duration ?? 0, label };
  }, `#/ripple?target=big${fold ? `&fold=${fold}` : ''}`);
  await page.getByRole('button', { name: 'Show all of it' }).click();
  await page.waitForTimeout(800);
  const frames = await drag(page);
  console.log(`${words}: drawn in ${Math.round(drawing.whole)} ms (layout ${Math.round(drawing.layout)} ms), dragged at ${frames.toFixed(0)} frames/s`);
  await page.close();
}
await browser.close();
server.close();

/** Frames a second over two seconds of dragging, counted where the canvas is painted. */
async function drag(page) {
  const box = await page.locator('.canvas').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const counted = page.evaluate(async () => {
    let frames = 0;
    const began = performance.now();
    while (performance.now() - began < 2000) {
      await new Promise(requestAnimationFrame);
      frames += 1;
    }
    return frames / ((performance.now() - began) / 1000);
  });
  const end = Date.now() + 2000;
  for (let at = 0; Date.now() < end; at += 1) await page.mouse.move(x + Math.sin(at / 10) * 200, y + Math.cos(at / 10) * 100 + 100);
  await page.mouse.up();
  return counted;
}

/** An answer that looks like a ripple through a large program, the same each time. */
function ripple(n) {
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const nodes = {};
  for (let id = 0; id < n; id += 1) {
    const file = `src/package${Math.floor(id / 60)}/file${Math.floor(id / 20)}.py`;
    nodes[id] = { id, label: id % 4 ? 'Variable' : 'Function', kind: '', name: `name_${id}`, qualified_name: `package.module.holder_${id % 50}.name_${id}`, language: 'python', file, line: id + 1, end_line: id + 2, signature: '', doc: '', type: '', test: false, tags: [] };
  }
  const edges = [];
  const edge = (from, to, kind) => edges.push({ from, to, kind, how: '', file: '', line: edges.length, col: 1, rule: 'scope', confidence: 0.3 + 0.7 * random() });
  for (let id = 1; id < n; id += 1) {
    edge(Math.max(0, Math.floor(id - 1 - random() * random() * 60)), id, 'FLOWS_TO');
    if (random() < 0.5) edge(Math.floor(random() * id), id, 'PASSES_TO');
  }
  return {
    operation: 'impact', parameters: {}, seeds: [nodes[0]], results: Object.values(nodes).slice(1).map((node) => ({ node: node.id, distance: 1 + Math.floor(node.id / 50), confidence: 0.8, path: null, relation: 'FLOWS_TO' })),
    groups: [], nodes, edges, paths: [], entry_points: [], tests: [], verdict: { level: 'complete', reasons: [] }, cypher: [], truncated: false, found: n - 1, elapsed_ms: 1,
  };
}
