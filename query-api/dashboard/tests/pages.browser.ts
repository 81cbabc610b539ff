// The main path of each page, in a real browser.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Server, type Tab, browser, paused, picture, server, tab } from './harness';

let shop: Server;
let chrome: Browser;
let now: Tab;

beforeAll(async () => {
  shop = await server();
  chrome = await browser();
});
afterAll(async () => {
  await chrome?.close();
  await shop?.stop();
});
beforeEach(async () => {
  now = await tab(chrome, { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
});
afterEach(async () => {
  const { faults } = now;
  await now.close();
  expect(faults).toEqual([]);
});

const open = (hash: string) => now.page.goto(`${shop.url}${hash}`);
const editor = () => now.page.getByRole('textbox', { name: 'Cypher query' });
const write = async (text: string) => {
  await editor().click();
  await now.page.keyboard.press('Control+a');
  await now.page.keyboard.press('Delete');
  // Typed as one piece, or the editor would close brackets by itself.
  await now.page.keyboard.insertText(text);
};

async function download(press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([now.page.waitForEvent('download'), press()]);
  return readFileSync(await file.path(), 'latin1');
}

test('console: a query, its table, its address', async () => {
  const { page } = now;
  await open('#/console');
  await write("MATCH (f:Function {name: 'email_domain'}) RETURN f, f.file AS file, f.line AS line");
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'pipeline.features.email.email_domain' }).waitFor();
  expect(await page.getByRole('status').first().textContent()).toContain('1 row in');
  expect(page.url()).toContain('email_domain');
  // The address alone brings the same answer.
  await page.reload();
  await page.getByRole('link', { name: 'pipeline.features.email.email_domain' }).waitFor();
});

test('console: parameters, JSON, CSV', async () => {
  const { page } = now;
  await open('#/console');
  await write('RETURN $x AS x, $x + 1 AS y');
  await page.getByText('Parameters', { exact: true }).click();
  await page.getByLabel('Parameters as JSON').fill('{"x": ');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('That is not JSON').waitFor();
  await page.getByLabel('Parameters as JSON').fill('{"x": 41}');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('cell', { name: '42' }).waitFor();
  expect(await download(() => page.getByRole('button', { name: 'Download CSV' }).click())).toBe('x,y\r\n41,42\r\n');
  await page.getByRole('tab', { name: 'JSON' }).click();
  expect(await page.locator('.plan').textContent()).toContain('42');
});

test('console: completion from the schema', async () => {
  const { page } = now;
  await open('#/console');
  await write('MATCH (f:');
  await page.keyboard.type('Fun');
  const option = page.getByRole('option', { name: /Function/ });
  await option.waitFor();
  // A list that has only just opened does not take Enter yet: it may be meant for the text.
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.editor-box')?.shadowRoot?.querySelector('.cm-content')?.textContent?.includes('(f:Function'));
});

test('console: what is chosen in the graph is in the address, and so is a plan', async () => {
  const { page } = now;
  await open(`#/console?run=1&view=graph&query=${encodeURIComponent("MATCH p = (k:Key {name: 'email'})-[:FLOWS_TO]->(m) RETURN p")}`);
  await page.getByRole('img', { name: /Drawing of/ }).focus();
  await page.keyboard.press('n');
  const chosen = page.getByRole('region', { name: 'What is chosen' });
  await chosen.getByRole('link', { name: /email/ }).first().waitFor();
  expect(page.url()).toContain('sel=');
  await page.reload();
  await chosen.waitFor();
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('Physical Plan').waitFor();
  await page.reload();
  await page.getByText('Physical Plan').waitFor();
});

test('console: the graph of rows, and a plan', async () => {
  const { page } = now;
  await open('#/console');
  await write("MATCH p = (k:Key {name: 'email'})-[:FLOWS_TO|SUMMARIZES* SHORTEST 1..3]->(m) RETURN p");
  await page.keyboard.press('Control+Enter');
  await page.getByRole('tab', { name: /Graph/ }).click();
  expect(await page.getByRole('img', { name: /Drawing of \d+ places/ }).getAttribute('aria-label')).toMatch(/Drawing of [5-9] places/);
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('Physical Plan').waitFor();
});

test('console: an error stands under the characters that it is about', async () => {
  const { page } = now;
  await open('#/console');
  await write("MATCH (n) WHERE n.name = 'é' DELETE n");
  await page.keyboard.press('Control+Enter');
  await page.getByText('Only reading is allowed', { exact: true }).waitFor();
  const marked = await page.evaluate(() => document.querySelector('.editor-box')?.shadowRoot?.querySelector('.cm-lintRange-error')?.textContent);
  expect(marked).toBe('DELETE');
});

test('console: what the engine names stands underlined as well', async () => {
  const { page } = now;
  await open('#/console');
  for (const [text, meant] of [
    ['MATCH (f:Functin) RETURN f', 'Functin'],
    ['MATCH (a:Function)-[:CALLS|CALS]->(b) RETURN b', 'CALS'],
    ['MATCH (f:Function) RETURN f.nam', 'nam'],
    ["MATCH (f:Function {nam: 'x'}) RETURN f", 'nam'],
    ['MATCH (f:Function) RETURN g.name', 'g'],
    ['MATCH (f:Function) WITH f.name AS n RETURN n, f.file', 'f'],
    ['MATCH (f:Function) RETURN lowr(f.name)', 'lowr'],
    ['MATCH (f:Function) RETURN sum(f.name)', 'sum'],
    ["MATCH (f:Function) WHERE f.line = 'x' RETURN f", "'x'"],
    ['MATCH (f:Function {name: $nam}) RETURN f', '$nam'],
    ['MATCH (f:Function) RETRN f', 'RETRN'],
  ] as const) {
    await write(text);
    await page.keyboard.press('Control+Enter');
    await page.locator('.failed').waitFor();
    const marked = await page.evaluate(() => document.querySelector('.editor-box')?.shadowRoot?.querySelector('.cm-lintRange-error')?.textContent);
    expect(marked, `${text}: ${await page.locator('.failed').textContent()}`).toBe(meant);
    await write('RETURN 1');
    await page.keyboard.press('Control+Enter');
    await page.locator('.failed').waitFor({ state: 'detached' });
  }
});

test('console: a name that is nearly right is put right', async () => {
  const { page } = now;
  await open('#/console');
  await write("MATCH (f:Functin {name: 'email_domain'}) RETURN f.name AS n");
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Put Function there' }).click();
  await page.getByRole('cell', { name: 'email_domain' }).waitFor();
});

test('console: history', async () => {
  const { page } = now;
  await open('#/console');
  await write('RETURN 7 AS seven');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('columnheader', { name: 'seven' }).waitFor();
  await write('RETURN 8 AS eight');
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'RETURN 7 AS seven' }).click();
  expect(await editor().textContent()).toContain('RETURN 7 AS seven');
});

test('explore: found while typing, opened with the keyboard, source beside it', async () => {
  const { page } = now;
  await open('#/explore');
  await page.getByLabel('Search symbols').pressSequentially('email_domain');
  await page.getByRole('link', { name: /email\.email_domain/ }).first().waitFor();
  await page.getByRole('button', { name: 'Function', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.hits .g-variable').length === 0 && document.querySelectorAll('.hits li').length > 0);
  expect(page.url()).toContain('kinds=Function');
  await page.getByLabel('Search symbols').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /email_domain/ }).waitFor();
  await page.getByRole('heading', { name: /^Source/ }).waitFor();
  await page.getByText('def email_domain', { exact: false }).first().waitFor();
  await page.getByRole('heading', { name: /^Callees/ }).waitFor();
  await page.getByRole('heading', { name: /^History/ }).waitFor();
  await page.getByRole('button', { name: 'Open the file' }).click();
  const panel = page.getByRole('complementary', { name: /Source of/ });
  await panel.waitFor();
  expect(await panel.locator('.marked').textContent()).toContain('def email_domain');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Open the file');
});

test('a field tells readers, writers and flows', async () => {
  const { page } = now;
  await open(`#/console?run=1&query=${encodeURIComponent("MATCH (f:Field {name: 'Email'}) WHERE f.qualified_name CONTAINS 'OrderRequest' RETURN f")}`);
  await page.getByRole('link', { name: 'handlers.OrderRequest.Email' }).click();
  for (const title of ['Readers', 'Flows in', 'Flows out', 'On the wire']) await page.getByRole('heading', { name: new RegExp(`^${title}`) }).waitFor();
  await page.getByRole('link', { name: 'Readers in the console' }).click();
  await page.getByRole('table').waitFor();
});

test('ripple: drawn, chosen, filtered, exported, and found again by its address', async () => {
  const { page } = now;
  await open('#/ripple');
  await page.getByLabel('Target').fill('key:email');
  await page.getByRole('button', { name: 'Draw' }).click();
  const canvas = page.getByRole('img', { name: /Drawing of/ });
  await canvas.waitFor();
  const places = async () => Number(/of (\d+) places/.exec((await canvas.getAttribute('aria-label')) ?? '')?.[1]);
  const all = await places();
  expect(all).toBeGreaterThan(8);
  await page.getByRole('button', { name: /OrderRequest\.Email/ }).first().click();
  await page.getByRole('region', { name: 'What is chosen' }).waitFor();
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  await page.getByRole('complementary', { name: /request\.go/ }).waitFor();
  await page.keyboard.press('Escape');
  const before = await places();
  await page.getByRole('button', { name: 'Expand' }).click();
  await page.waitForFunction((n) => Number(/of (\d+) places/.exec(document.querySelector('.canvas')?.getAttribute('aria-label') ?? '')?.[1]) > n, before);
  await page.getByRole('button', { name: /^flows to/ }).click();
  await page.waitForFunction((n) => Number(/of (\d+) places/.exec(document.querySelector('.canvas')?.getAttribute('aria-label') ?? '')?.[1]) < n, all);
  const shown = await places();
  await page.getByText('Export').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'SVG' }).waitFor({ state: 'hidden' });
  await page.getByText('Export').click();
  expect(await download(() => page.getByRole('button', { name: 'SVG' }).click())).toMatch(/^<svg .*<\/svg>\s*$/s);
  await page.getByRole('button', { name: 'SVG' }).waitFor({ state: 'hidden' });
  await page.getByText('Export').click();
  expect(await download(() => page.getByRole('button', { name: 'Mermaid' }).click())).toMatch(/^flowchart (LR|TB)\n/);
  await page.getByRole('button', { name: 'SVG' }).waitFor({ state: 'hidden' });
  await page.getByText('Export').click();
  expect(await download(() => page.getByRole('button', { name: 'PNG' }).click())).toMatch(/^.PNG/);
  await page.reload();
  await canvas.waitFor();
  await page.waitForFunction((n) => Number(/of (\d+) places/.exec(document.querySelector('.canvas')?.getAttribute('aria-label') ?? '')?.[1]) === n, shown);
  await page.getByLabel('collapsed').check();
  await page.getByText(/collapsed to/).waitFor();
});

test('ask: stages, words, citation, query, picture, vote', async () => {
  const { page } = now;
  await open('#/ask');
  await page.locator('.examples button').nth(1).click();
  const turn = page.locator('.turn');
  await turn.locator('.prose').waitFor();
  await page.locator('.turn[aria-busy=false]').waitFor();
  await turn.getByText(/Answered (by|from)/).waitFor();
  await turn.locator('.verdict').waitFor();
  await turn.getByRole('button', { name: 'This helped' }).click();
  await turn.getByText('Thank you').waitFor();
  await turn.getByText(/^Cypher/).click();
  const console_ = turn.getByRole('link', { name: 'Open in the console' }).first();
  expect(await console_.getAttribute('href')).toContain('#/console?');
  await turn.locator('.prose .site').first().click();
  await page.getByRole('complementary', { name: /Source of/ }).waitFor();
});

test('ask: an answer with the words of an attacker is text', async () => {
  const { page } = now;
  await open(`#/ask?q=${encodeURIComponent('Where is <img src=x onerror=window.hacked=1> used?')}`);
  await page.locator('.turn[aria-busy=false]').waitFor();
  expect(await page.evaluate(() => [document.querySelectorAll('main img').length, (globalThis as { hacked?: number }).hacked ?? 0])).toEqual([0, 0]);
});

const DIFF = `--- a/api/handlers/request.go
+++ b/api/handlers/request.go
@@ -63,3 +63,3 @@
 func (r *OrderRequest) toOrder() (model.Order, error) {
-	order := model.Order{
+	order := model.Order{ // changed
 		UserID:       r.UserID,
`;

test('change: a pasted diff, its report, its Markdown, its address', async () => {
  const { page } = now;
  await open('#/change');
  await page.getByLabel('Unified diff').fill(DIFF);
  await page.getByRole('button', { name: 'Find what it touches' }).click();
  await page.getByText(/changed,/).waitFor();
  await page.getByRole('region', { name: 'Report' }).getByRole('link', { name: /toOrder/ }).first().waitFor();
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('#');
  await page.reload();
  await page.getByText(/changed,/).waitFor();
});

test('change: two revisions', async () => {
  const { page } = now;
  await open('#/change');
  await page.getByRole('tab', { name: 'Two revisions' }).click();
  await page.getByRole('combobox', { name: 'From' }).fill('HEAD~1');
  await page.getByRole('combobox', { name: 'To' }).fill('HEAD');
  await page.getByRole('button', { name: 'Find what it touches' }).click();
  await page.getByText(/changed,/).waitFor();
  await page.getByRole('combobox', { name: 'From' }).fill('nowhere');
  await page.getByRole('button', { name: 'Find what it touches' }).click();
  await page.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
});

test('change: what is staged', async () => {
  const { page } = now;
  const file = path.join(shop.source, 'api/handlers/request.go');
  const before = readFileSync(file, 'utf8');
  const git = (...args: string[]) => execFileSync('git', ['-C', shop.source, ...args], { stdio: 'ignore' });
  await open('#/change');
  await page.getByRole('tab', { name: 'A diff' }).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await page.getByRole('tab', { name: 'What is staged' }).getAttribute('aria-selected')).toBe('true');
  await page.getByRole('button', { name: 'Find what it touches' }).click();
  await page.getByText('Nothing is changed there.').waitFor();
  writeFileSync(file, before.replace('order := model.Order{', 'order := model.Order{ // staged'));
  git('add', '-A');
  await page.getByRole('button', { name: 'Find what it touches' }).click();
  await page.getByRole('region', { name: 'Report' }).getByRole('link', { name: /toOrder/ }).first().waitFor();
  await page.getByRole('img', { name: /Drawing of/ }).waitFor();
  expect(page.url()).toContain('staged=1');
  await picture(page, 'staged');
  await page.reload();
  await page.getByRole('region', { name: 'Report' }).getByRole('link', { name: /toOrder/ }).first().waitFor();
  git('reset', '-q', '--hard');
});

test('index: how far a running build is, and the new generation when it is done', async () => {
  const { page } = now;
  const run = await paused(shop);
  await open('#/index');
  const card = page.getByRole('region', { name: 'An index run is under way' });
  await card.getByRole('progressbar').waitFor();
  expect(await card.textContent()).toContain('A new index is being built');
  const rows = page.getByRole('region', { name: 'Generations' }).getByRole('row');
  await rows.nth(1).waitFor();
  const before = await rows.nth(1).textContent();
  await picture(page, 'index-running');
  await run.go();
  // Nobody reloads the page: it looks by itself, for as long as a build runs.
  await card.waitFor({ state: 'detached' });
  await page.waitForFunction((old) => document.querySelector('[aria-label="Generations"] tbody tr')?.textContent !== old, before);
  await page.getByText('served').waitFor();
});

test('index: counts, calls, freshness, communities, generations', async () => {
  const { page } = now;
  await open('#/index');
  await page.getByText('relationships', { exact: true }).waitFor();
  await page.getByRole('img', { name: /% resolved/ }).first().waitFor();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('Nothing has changed since it was built.').waitFor();
  await page.getByRole('group', { name: /Map of \d+ communities/ }).waitFor();
  // By keyboard: SVG has its own ideas of what can be focused.
  await page.getByRole('group', { name: /Map of/ }).getByRole('button').nth(1).focus();
  await page.waitForFunction(() => document.activeElement?.classList.contains('map-node'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('community='));
  await page.getByText('served').waitFor();
});

test('explore: several words are typed with a pause between them', async () => {
  const { page } = now;
  await open('#/explore');
  const field = page.getByLabel('Search symbols');
  await field.pressSequentially('mail ');
  await page.waitForTimeout(400);
  // As slowly as the address follows: no letter is lost to it.
  await field.pressSequentially('domain', { delay: 150 });
  await page.waitForFunction(() => location.hash.includes('mail+domain'));
  expect(await field.inputValue()).toBe('mail domain');
  // The filters keep their own keys.
  await page.getByLabel('Language').focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.getByLabel('Language').inputValue()).toBe('go');
});

test('ripple: begun from what the index offers, another operation of the same, names while one types', async () => {
  const { page } = now;
  await open('#/ripple');
  await page.getByRole('region', { name: 'Where to begin' }).getByRole('link', { name: 'items', exact: true }).click();
  await page.getByRole('img', { name: /Drawing of/ }).waitFor();
  await page.getByLabel('Operation').selectOption('uses_of_key');
  await page.waitForFunction(() => location.hash.includes('op=uses_of_key'));
  await page.getByRole('img', { name: /Drawing of/ }).waitFor();
  expect(await page.getByLabel('Direction', { exact: true }).count()).toBe(0);
  await page.getByLabel('Target').fill('tidyAdd');
  await page.locator('#ripple-names option[value$="tidyAddress"]').waitFor({ state: 'attached' });
});

test('ripple: cut where it is large, and more of it when asked', async () => {
  const { page } = now;
  await open('#/ripple?target=key:email&limit=5');
  const canvas = page.getByRole('img', { name: /Drawing of/ });
  await canvas.waitFor();
  await page.getByText(/^5 of \d+$/).waitFor();
  const places = async () => Number(/of (\d+) places/.exec((await canvas.getAttribute('aria-label')) ?? '')?.[1]);
  const few = await places();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('limit=1000');
  expect(await places()).toBeGreaterThan(few);
});

test('console: an example, from an empty page', async () => {
  const { page } = now;
  await open('#/console');
  await page.getByRole('button', { name: 'Most called functions' }).click();
  await page.getByRole('columnheader', { name: 'callers' }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
});

test('ripple: the impact of a function hangs together with it', async () => {
  const { page } = now;
  await open('#/ripple?target=Orders.Place&flow=down');
  const canvas = page.getByRole('img', { name: /Drawing of/ });
  await canvas.waitFor();
  expect(Number(/of (\d+) places/.exec((await canvas.getAttribute('aria-label')) ?? '')?.[1])).toBeGreaterThan(5);
  await page.getByRole('button', { name: /^contains/ }).waitFor();
  await page.getByLabel('Direction of the drawing').selectOption('right');
  expect(page.url()).toContain('flow=right');
});

test('the keyboard alone', async () => {
  const { page } = now;
  await open('#/index');
  await page.getByRole('heading', { level: 1, name: 'Index' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByLabel('Search symbols').waitFor();
});
