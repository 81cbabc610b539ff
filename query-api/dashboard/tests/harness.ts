// A real `ripple serve` over the sample shop, and a real browser in front of it.
//
// RIPPLE_BIN=path/to/ripple   starts servers of its own, over a copy of the sample shop with a hostile file in it
// RIPPLE_PAGES=dist           the pages as `npm run build` left them, not those in the binary
// CHROMIUM=path               the browser [/usr/bin/chromium]
//
// Screenshots go to test-output/.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { front } from '../dev/serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const SHOP = path.resolve(here, '../../../tests/projects/shop');
export const OUTPUT = path.resolve(here, '../test-output');

const BIN = process.env.RIPPLE_BIN ?? '';
const DIST = process.env.RIPPLE_PAGES === 'dist';

/** Source that would do harm if any of it were taken as HTML. */
export const HOSTILE = `"""<img src=x onerror="window.hacked=1"> docs of a module"""


def hostile_reader(order):
    """<script>window.hacked = 1</script> reads a key with a strange name."""
    return order["<img src=x onerror=window.hacked=1>"]
`;

export interface Server {
  /** Where the dashboard is. */
  url: string;
  /** The indexed folder. */
  source: string;
  /** The folder of the index. */
  index: string;
  stop: () => Promise<void>;
}

export async function server(options: { token?: string; args?: string[]; env?: Record<string, string> } = {}): Promise<Server> {
  if (!BIN) throw new Error('RIPPLE_BIN names no binary; build it with `cargo build --release` and name target/release/ripple');
  const folder = mkdtempSync(path.join(tmpdir(), 'ripple-dashboard-'));
  const source = path.join(folder, 'shop');
  cpSync(SHOP, source, { recursive: true, filter: (name) => !name.endsWith('.ripple') });
  writeFileSync(path.join(source, 'pipeline/hostile.py'), HOSTILE);
  commit(source);
  const index = path.join(folder, 'index');
  execFileSync(BIN, ['index', '--index', index, source], { stdio: 'ignore' });
  const { RIPPLE_MODEL: _, ...rest } = process.env;
  const env = { ...rest, RUST_LOG: 'error', ...(options.token && { RIPPLE_TOKEN: options.token }), ...options.env };
  const child = spawn(BIN, ['serve', '--index', index, '--addr', '127.0.0.1:0', ...(options.args ?? [])], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const upstream = await listening(child);
  const pages = DIST ? await front(upstream) : null;
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await pages?.close();
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `${pages?.url ?? upstream}/ui/`, source, index, stop };
}

export interface Model {
  /** What `ripple serve` has to be told to use it. */
  env: Record<string, string>;
  /** What it says from now on: see `tests/setup/scripted_llm.py`. */
  script: (replies: object[]) => Promise<void>;
  requests: () => Promise<{ body: { messages: { content: string }[] } }[]>;
  stop: () => Promise<void>;
}

/** A language model that says what it is told to. */
export async function model(): Promise<Model> {
  const child = spawn('python3', [path.resolve(here, '../../../tests/setup/scripted_llm.py'), '--script', '-', '--with-stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await listening(child);
  const root = url.replace(/\/v1$/, '');
  return {
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-scripted-0123456789', RIPPLE_MODEL: 'scripted' },
    script: async (replies) => {
      await fetch(`${root}/script`, { method: 'PUT', body: JSON.stringify(replies) });
    },
    requests: async () => (await fetch(`${root}/requests`)).json() as never,
    stop: () => ended(child),
  };
}

/** Begins to index the server's source again and stops in the middle of it; `go` lets it end. */
export async function paused(shop: Server): Promise<{ go: () => Promise<void> }> {
  const progress = path.join(shop.index, 'progress.json');
  rmSync(progress, { force: true });
  const child = spawn(BIN, ['index', '--quiet', '--index', shop.index, shop.source], { stdio: 'ignore' });
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const late = Date.now() + 30_000;
  while (!existsSync(progress)) {
    if (child.exitCode !== null || Date.now() > late) throw new Error('the index run told nothing of its progress');
    await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill('SIGSTOP');
  return {
    go: () => {
      child.kill('SIGCONT');
      return end;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(said);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[0]} ended with ${code}: ${said}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 3000).unref();
  });
}

/** Two commits, so that there is a history and a change to look at. */
function commit(source: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', source, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args], { stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Orders carry an address');
  const file = path.join(source, 'api/handlers/request.go');
  writeFileSync(file, readFileSync(file, 'utf8').replace('order := model.Order{', 'order := model.Order{ // as the client wrote it'));
  git('commit', '-q', '-am', 'Say where an order comes from');
}

export async function browser(): Promise<Browser> {
  mkdirSync(OUTPUT, { recursive: true });
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export interface Tab {
  page: Page;
  /** What went wrong in the page: faults, refusals of the policy, requests to other hosts. */
  faults: string[];
  close: () => Promise<void>;
}

export async function tab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`fault: ${error.message}`));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Refused to|Uncaught/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.hostname !== '127.0.0.1') faults.push(`asked another host: ${url.host}`);
  });
  return { page, faults, close: () => context.close() };
}

export const picture = (page: Page, name: string) => page.screenshot({ path: path.join(OUTPUT, `${name}.png`) });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious or worse. */
export async function serious(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run: (root: Document, options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe;
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
      .map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} (${node.failureSummary.split('\n')[1]?.trim()})`).join('; ')}`);
  });
}
