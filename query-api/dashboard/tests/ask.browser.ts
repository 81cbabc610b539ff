// Questions with a language model that helps, that fails half-way, that is slow, that never ends, and that means harm.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Model, type Server, type Tab, browser, model, picture, serious, server, tab } from './harness';

let scripted: Model;
let shop: Server;
let chrome: Browser;
let now: Tab;

beforeAll(async () => {
  scripted = await model();
  shop = await server({ env: scripted.env, args: ['--llm-timeout', '3s'] });
  chrome = await browser();
});
afterAll(async () => {
  await chrome?.close();
  await shop?.stop();
  await scripted?.stop();
});
beforeEach(async () => {
  now = await tab(chrome);
});
afterEach(async () => {
  const { faults } = now;
  await now.close();
  expect(faults).toEqual([]);
});

const QUESTION = 'If a client stops sending us `email`, which ML features change?';
const WRITES = 'You write one Cypher query';
const ANSWERS = 'You answer a question';
const QUERY = {
  when: WRITES,
  json: { cypher: "MATCH (f:Function {name: 'email_domain'}) RETURN f.qualified_name AS feature, f.file AS file, f.line AS line", why: 'it reads the address' },
};
const PIECES = ['The feature ', '[email_domain](pipeline/features/email.py:11) ', 'reads it, ', 'and so does ', '[ghost](nowhere.py:3)', '. That ', 'is ', 'all.'];

const ask = async (question: string) => {
  await now.page.goto(`${shop.url}#/ask`);
  await now.page.getByRole('textbox', { name: 'Question' }).fill(question);
  await now.page.keyboard.press('Enter');
};
const done = () => now.page.locator('.turn[aria-busy=false] .basis').last().waitFor();

test('stages first, then words as they come, then what they stand on', async () => {
  const { page } = now;
  await scripted.script([{ ...QUERY, delay: 0.6 }, { when: ANSWERS, pieces: PIECES, pause: 0.25 }]);
  await ask(QUESTION);
  await page.getByRole('list', { name: 'What is being done' }).getByText('Finding what the question names').waitFor();
  await picture(page, 'ask-stages');
  // The first words stand there while the last are not yet written.
  await page.locator('.turn[aria-busy=true] .prose', { hasText: 'The feature' }).waitFor();
  expect(await page.locator('.prose').textContent()).not.toContain('all.');
  await picture(page, 'ask-streaming');
  await done();
  const turn = page.locator('.turn');
  expect(await turn.locator('.prose').textContent()).toContain('That is all.');
  await turn.getByText('by a query that the model wrote').waitFor();
  await turn.getByText(/put into words by scripted/).waitFor();
  // What is not in the graph is struck out, and leads nowhere.
  expect(await turn.locator('.prose del').textContent()).toBe('ghost');
  expect(await turn.getByText('1 could not be found there').count()).toBe(1);
  // A citation opens the source at its line.
  await turn.locator('.prose .site', { hasText: 'email_domain' }).click();
  const panel = page.getByRole('complementary', { name: 'Source of pipeline/features/email.py' });
  expect(await panel.locator('.marked').textContent()).toContain('def email_domain');
  expect(await panel.locator('.marked').getAttribute('data-line')).toBe('11');
  await page.keyboard.press('Escape');
  // The query that it used runs in the console, with the same row.
  await turn.getByText(/^Cypher/).click();
  await turn.getByRole('link', { name: 'Open in the console' }).first().click();
  await page.getByRole('cell', { name: 'pipeline.features.email.email_domain' }).waitFor();
  // Back again, the conversation stands as it was, and nothing is asked twice.
  await page.goBack();
  await turn.locator('.prose').waitFor();
  expect((await scripted.requests()).length).toBe(2);
  await picture(page, 'ask-answered');
  expect(await serious(page)).toEqual([]);
});

test('a model that fails half-way: the report stands in, and says so', async () => {
  const { page } = now;
  await scripted.script([QUERY, { when: ANSWERS, pieces: ['Half ', 'an ', 'answer'], cut_after: 2, times: 0 }]);
  await ask(QUESTION);
  await done();
  const words = await page.locator('.turn .prose').textContent();
  for (const feature of ['email_domain', 'email_hash_bucket', 'is_free_mail_provider', 'mailbox_digits']) expect(words).toContain(feature);
  expect(words).not.toContain('Half');
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.locator('.turn .notice').getByText(/the language model failed/i).waitFor();
  await picture(page, 'ask-model-failed');
});

test('a model that is too slow', async () => {
  const { page } = now;
  await scripted.script([{ when: WRITES, delay: 20, text: 'too late', times: 0 }, { when: ANSWERS, delay: 20, text: 'too late', times: 0 }]);
  await ask(QUESTION);
  await done();
  expect(await page.locator('.turn .prose').textContent()).toContain('mailbox_digits');
  await page.locator('.turn .notice').getByText(/the language model failed/i).waitFor();
});

test('a model that never ends is stopped, and the page can ask on', async () => {
  const { page } = now;
  await scripted.script([QUERY, { when: ANSWERS, pieces: ['Well, '], endless: true, pause: 0.05, times: 1 }, { when: ANSWERS, text: 'Short now.' }]);
  await ask(QUESTION);
  await page.locator('.prose', { hasText: 'and so on, and so on' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  expect(await page.locator('.prose').textContent()).toContain('Well,');
  await page.getByRole('textbox', { name: 'Question' }).fill('And who calls `email_domain`?');
  await page.keyboard.press('Enter');
  await page.locator('.prose', { hasText: 'Short now.' }).waitFor();
  await done();
});

test('a follow-up carries what was said', async () => {
  const { page } = now;
  await scripted.script([QUERY, { when: ANSWERS, text: 'It is [email_domain](pipeline/features/email.py:11).' }]);
  await ask(QUESTION);
  await done();
  await page.getByRole('textbox', { name: 'Question' }).fill('And who calls it?');
  await page.keyboard.press('Enter');
  await page.locator('.turn').nth(1).locator('.basis').waitFor();
  const sent = JSON.stringify((await scripted.requests()).slice(2));
  expect(sent).toContain('which ML features change');
  // Back is the first question; nothing is asked again.
  const before = (await scripted.requests()).length;
  await page.goBack();
  await page.waitForTimeout(300);
  expect(await page.locator('.turn').count()).toBe(2);
  expect((await scripted.requests()).length).toBe(before);
});

test('words of a model are text, and lead only into the source', async () => {
  const { page } = now;
  const text = 'See <img src=x onerror="window.hacked=1"> and [this](javascript:window.hacked=1), [that](https://example.com/x), ![p](https://example.com/p.png) and [email_domain](pipeline/features/email.py:11), beside Model.__init__ and _save_.';
  await scripted.script([QUERY, { when: ANSWERS, text }]);
  await ask(QUESTION);
  await done();
  expect(await page.evaluate(() => [document.querySelectorAll('main img, main script').length, (globalThis as { hacked?: number }).hacked ?? 0])).toEqual([0, 0]);
  // Names keep their underscores.
  expect(await page.locator('.prose').textContent()).toContain('beside Model.__init__ and _save_.');
  const leads = await page.locator('.prose a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(leads.length).toBe(1);
  for (const href of leads) expect(href).toMatch(/^#\//);
});

test('a vote is kept, is shown as given, and can be turned', async () => {
  const { page } = now;
  await scripted.script([QUERY, { when: ANSWERS, text: 'It is [email_domain](pipeline/features/email.py:11).' }]);
  await ask(QUESTION);
  await done();
  const votes = () => {
    const file = path.join(shop.index, 'feedback.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { question: string; vote: number }) : [];
  };
  const [up, down] = [page.getByRole('button', { name: 'This helped' }), page.getByRole('button', { name: 'This did not help' })];
  expect(votes()).toEqual([]);
  await up.click();
  await page.locator('.basis [role=status]', { hasText: 'Thank you' }).waitFor();
  expect(await up.getAttribute('aria-pressed')).toBe('true');
  expect(votes().length).toBeGreaterThan(0);
  expect(votes().every((vote) => vote.question === QUESTION && vote.vote === 1)).toBe(true);
  const given = votes().length;
  await down.click();
  await page.locator('[aria-label="This did not help"][aria-pressed=true]').waitFor();
  expect(await up.getAttribute('aria-pressed')).toBe('false');
  expect(votes().slice(given).every((vote) => vote.vote === -1)).toBe(true);
});
