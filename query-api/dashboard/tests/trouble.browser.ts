// What can go wrong: server gone, limits, tokens, many rows, names that look like HTML.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POLICY } from '../dev/serve.mjs';
import { type Server, browser, picture, server, tab } from './harness';

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

const console_ = (url: string, query: string, more = '') => `${url}#/console?run=1${more}&query=${encodeURIComponent(query)}`;

test('the policy is strict, and that of dev/serve.mjs is the same', async () => {
  const policy = (await fetch(shop.url)).headers.get('content-security-policy') ?? '';
  expect(policy).toBe(POLICY);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('10,000 rows scroll, and only those in sight are in the page', async () => {
  const { page, faults, close } = await tab(chrome);
  await page.goto(console_(shop.url, 'UNWIND range(1, 10000) AS n RETURN n, n * 2 AS twice', '&limit=10000'));
  await page.getByRole('tab', { name: /Table 10,000/ }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  await page.locator('.grid-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.getByRole('cell', { name: '20000' }).waitFor();
  expect(await page.getByText(/cut at/).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('an answer that was cut says so', async () => {
  const { page, close } = await tab(chrome);
  await page.goto(console_(shop.url, 'UNWIND range(1, 500) AS n RETURN n', '&limit=100'));
  await page.getByText('cut at 100 rows').waitFor();
  await close();
});

test('a query past its time', async () => {
  const { page, close } = await tab(chrome);
  await page.goto(console_(shop.url, 'MATCH (a)-[*1..30]->(b) RETURN count(*)', '&seconds=1'));
  await page.getByRole('alert').filter({ hasText: 'It took too long' }).waitFor();
  await picture(page, 'time-out');
  await close();
});

test('names that look like HTML are text, wherever they are shown', async () => {
  const { page, faults, close } = await tab(chrome);
  const harmless = async () => {
    expect(await page.evaluate(() => [document.querySelectorAll('main img, main script').length, (globalThis as { hacked?: number }).hacked ?? 0])).toEqual([0, 0]);
  };
  await page.goto(console_(shop.url, "MATCH (n) WHERE n.name CONTAINS '<img' OR n.doc CONTAINS '<script' RETURN n, n.name, n.doc"));
  await page.getByText('<img src=x onerror=window.hacked=1>').first().waitFor();
  await harmless();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await harmless();
  await page.getByRole('tab', { name: /Graph/ }).click();
  await page.getByRole('img', { name: /Drawing of/ }).waitFor();
  await harmless();
  await page.getByRole('tab', { name: /Table/ }).click();
  await page.getByRole('link', { name: /hostile_reader$/ }).first().click();
  await page.getByText('<script>window.hacked = 1</script>', { exact: false }).first().waitFor();
  await page.getByText('def hostile_reader').first().waitFor();
  await harmless();
  await page.goto(`${shop.url}#/explore?q=hostile_reader&src=${encodeURIComponent('pipeline/hostile.py:4')}`);
  await page.getByRole('complementary').getByText('onerror=', { exact: false }).first().waitFor();
  await harmless();
  await page.goto(`${shop.url}#/ripple?target=${encodeURIComponent('key:<img src=x onerror=window.hacked=1>')}`);
  await page.getByRole('img', { name: /Drawing of/ }).or(page.getByRole('alert')).or(page.getByText('Nothing is reached')).first().waitFor();
  await harmless();
  await picture(page, 'hostile');
  expect(faults).toEqual([]);
  await close();
});

test('addresses of what is not there', async () => {
  const { page, faults, close } = await tab(chrome);
  for (const [hash, words] of [
    ['#/node/Function/1', 'It is not in this index'],
    ['#/node/Nothing/1', 'That is not the address of a symbol'],
    ['#/node/Function/1%20OR%201', 'That is not the address of a symbol'],
    ['#/nowhere', 'Nothing is at this address'],
    ['#/explore?src=no/such/file.go:3', 'no/such/file.go'],
    ['#/ripple?target=NoSuchThingAnywhere', 'NoSuchThingAnywhere'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${shop.url}${hash}`);
    await page.getByText(words).first().waitFor();
  }
  expect(faults).toEqual([]);
  await close();
});

test('a server that is gone, and back', async () => {
  const { page, close } = await tab(chrome);
  await page.goto(`${shop.url}#/explore`);
  await page.getByRole('heading', { name: 'Packages' }).waitFor();
  await page.context().setOffline(true);
  await page.getByLabel('Search symbols').fill('email');
  await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
  await picture(page, 'server-gone');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('status').filter({ hasText: 'found in' }).waitFor();
  await close();
});

test('a connection that is lost in the middle of an answer', async () => {
  const { page, close } = await tab(chrome);
  await page.route('**/api/v1/ask', (route) =>
    route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'event: stage\ndata: {"stage":"seeds","detail":"","ms":0}\n\nevent: token\ndata: {"text":"Half an ans"}\n\n' }),
  );
  await page.goto(`${shop.url}#/ask?q=anything`);
  await page.getByRole('alert').filter({ hasText: 'The answer broke off' }).waitFor();
  await page.getByText('Half an ans').waitFor();
  await page.unroute('**/api/v1/ask');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(/Answered (by|from)/).waitFor();
  await close();
});

test('a server with a token: none, a wrong one, the right one', async () => {
  const guarded = await server({ token: 's3cret' });
  const { page, faults, close } = await tab(chrome);
  await page.goto(`${guarded.url}#/index`);
  await page.getByLabel('Token').waitFor();
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText('That is not the token of this server.').waitFor();
  await picture(page, 'login');
  await page.getByLabel('Token').fill('s3cret');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Index' }).waitFor();
  await page.getByText('relationships', { exact: true }).waitFor();
  expect(await page.evaluate(() => [sessionStorage.length, JSON.stringify(localStorage).includes('s3cret')])).toEqual([1, false]);
  expect(page.url()).not.toContain('s3cret');
  expect(faults).toEqual([]);
  await close();
  await guarded.stop();
});
