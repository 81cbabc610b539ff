// Every page in light and dark, wide and narrow: nothing runs over the edge, axe finds nothing serious, and a screenshot to look at.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { type Server, browser, picture, serious, server, tab } from './harness';

let shop: Server;
let chrome: Browser;

beforeAll(async () => {
  shop = await server();
  chrome = await browser();
});
afterAll(async () => {
  await chrome?.close();
  await shop?.stop();
});

const query = (text: string) => encodeURIComponent(text);

/** A page, and what is there when it is ready. */
const PAGES: [string, string, string][] = [
  ['welcome', '#/ask', '.examples li'],
  ['ask', `#/ask?q=${query('If a client stops sending us `email`, which ML features change?')}`, '.basis'],
  ['ripple', '#/ripple?target=key:email', '.canvas canvas'],
  ['ripple-chosen', '#/ripple?target=key:email&fold=1', '.canvas canvas'],
  ['operations', '#/ripple', '.operations dt'],
  ['packages', '#/explore', '.package-list li'],
  ['explore', '#/explore?q=email', '.hits li'],
  ['source', '#/explore?q=email&src=pipeline%2Ffeatures%2Femail.py%3A11', '.panel .marked'],
  ['console', `#/console?run=1&query=${query('MATCH (f:Function) RETURN f, f.file AS file, f.line AS line')}`, '.grid-body .grid-row'],
  ['console-error', `#/console?run=1&query=${query('MATCH (f:Functin) RETURN f')}`, '.failed'],
  ['console-graph', `#/console?run=1&view=graph&query=${query("MATCH p = (k:Key {name: 'email'})-[:FLOWS_TO|SUMMARIZES* SHORTEST 1..3]->(m) RETURN p")}`, '.canvas canvas'],
  ['change', '#/change', 'textarea'],
  ['report', '#/change?base=HEAD~1&head=HEAD', '.report'],
  ['index', '#/index', '.map-node'],
];

for (const width of [1280, 400]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${width} pixels, ${colorScheme}`, { timeout: 240_000 }, async () => {
      const { page, faults, close } = await tab(chrome, { viewport: { width, height: width > 800 ? 840 : 800 }, colorScheme, reducedMotion: 'reduce' });
      const found: string[] = [];
      for (const [name, hash, ready] of PAGES) {
        await page.goto('about:blank');
        await page.goto(`${shop.url}${hash}`);
        await page.locator(ready).first().waitFor();
        await page.locator('.busy').first().waitFor({ state: 'detached' });
        await picture(page, `${name}-${width}-${colorScheme}`);
        found.push(...(await serious(page)).map((line) => `${name}: ${line}`));
        const over = await page.evaluate(() => {
          const main = document.querySelector('main') ?? document.body;
          return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - document.documentElement.clientWidth);
        });
        if (over > 0) found.push(`${name}: ${over} pixels over the edge`);
      }
      await close();
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    });
  }
}

test('a symbol has nothing serious either', async () => {
  const { page, close } = await tab(chrome);
  await page.goto(`${shop.url}#/explore?q=email_domain&kinds=Function`);
  await page.locator('.hits .node-name').first().click();
  await page.getByRole('heading', { name: /^History/ }).waitFor();
  await page.locator('.busy').first().waitFor({ state: 'detached' });
  await picture(page, 'symbol-1280-light');
  expect(await serious(page)).toEqual([]);
  await close();
});
