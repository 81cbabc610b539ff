// A stand-in for doors that a running `ripple serve` does not have, as its /openapi.json tells: it reads the graph from the
// server and answers from that, in the shapes of the REST interface. Everything else is passed on. To work on pages ahead of
// the server; it is no part of the product. `RIPPLE_URL=http://127.0.0.1:7474 SOURCE=path/to/shop npm run mock`

import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { asset, forward } from './serve.mjs';

const FLOW = ['FLOWS_TO', 'PASSES_TO', 'RETURNS_TO', 'SUMMARIZES'];

export async function mock({ upstream, source, port = 0, running = null, token = '' }) {
  const graph = await load(upstream, token);
  const doors = routes(graph, source, running);
  const { paths } = await (await fetch(new URL('/openapi.json', upstream))).json();
  const served = (method, path) => Object.entries(paths).some(([known, methods]) => new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(path) && method.toLowerCase() in methods);
  const server = http.createServer(async (request, response) => {
    if (asset(request, response)) return;
    const url = new URL(request.url, 'http://x');
    const door = doors[`${request.method} ${url.pathname}`] ?? (url.pathname.startsWith('/api/v1/operations/') ? doors.operation : null);
    // Without the token the server itself says what is missing.
    if (!door || served(request.method, url.pathname) || (token && request.headers.authorization !== `Bearer ${token}`)) return forward(upstream, request, response);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    try {
      await door({ url, body, request, response });
    } catch (error) {
      send(response, error.status ?? 400, { error: { code: error.code ?? 'bad_request', message: String(error.message) } });
    }
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

async function load(upstream, token) {
  const ask = async (query) => {
    const response = await fetch(new URL('/api/v1/cypher', upstream), { method: 'POST', headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }, body: JSON.stringify({ query }) });
    return (await response.json()).rows;
  };
  const nodes = new Map();
  const engine = new Map();
  for (const [value] of await ask('MATCH (n) RETURN n')) {
    const p = value.properties;
    nodes.set(p.id, { ...p, label: value.labels[0], tags: p.tags.split(' ').filter(Boolean) });
    engine.set(value.id, p.id);
  }
  const edges = (await ask('MATCH ()-[r]->() RETURN r')).map(([r]) => ({ from: engine.get(r.start), to: engine.get(r.end), kind: r.type, ...r.properties }));
  return { nodes, edges };
}

function routes(graph, source, running) {
  const { nodes, edges } = graph;
  const all = [...nodes.values()];
  const operation = (name, parameters) => {
    const up = parameters.direction === 'up';
    const seeds = seedsOf(all, parameters.target ?? parameters.from ?? '');
    if (seeds.length === 0) throw Object.assign(new Error(`nothing in the graph is called \`${parameters.target}\``), { status: 404, code: 'not_found' });
    const kinds = { callers: ['CALLS'], callees: ['CALLS'] }[name] ?? FLOW;
    const back = up !== (name === 'callers' || name === 'tests_for');
    if (name === 'tests_for') kinds.push('CALLS');
    const reached = walk(edges, seeds, kinds, back, parameters.depth ?? (name === 'callers' || name === 'callees' ? 1 : 20), parameters.min_confidence ?? 0);
    const results = [];
    const paths = [];
    const used = new Map();
    for (const [id, step] of reached) {
      if (step.distance === 0) continue;
      const node = nodes.get(id);
      if (node.test && parameters.tests === false) continue;
      if (name === 'tests_for' && !(node.label === 'Function' && node.test)) continue;
      if (results.length >= (parameters.limit ?? 100)) break;
      const chain = [];
      for (let at = id; reached.get(at).edge; at = reached.get(at).before) chain.push(reached.get(at).edge);
      if (!back) chain.reverse();
      const indices = chain.map((edge) => (used.has(edge) ? used.get(edge) : (used.set(edge, used.size), used.size - 1)));
      paths.push({ nodes: chain.length ? [chain[0].from, ...chain.map((e) => e.to)] : [id], edges: indices, confidence: step.confidence });
      results.push({ node: id, distance: step.distance, confidence: step.confidence, path: paths.length - 1, relation: chain.at(-1)?.kind ?? '' });
    }
    const named = new Set([...seeds.map((n) => n.id), ...paths.flatMap((p) => p.nodes)]);
    const groups = new Map();
    results.forEach((r, at) => {
      const pack = path.dirname(nodes.get(r.node).file || '.');
      groups.set(pack, [...(groups.get(pack) ?? []), at]);
    });
    const low = results.filter((r) => r.confidence < 0.5).length;
    return {
      operation: name, parameters, seeds, results,
      groups: [...groups].map(([pack, list]) => ({ package: pack, results: list })),
      nodes: Object.fromEntries([...named].map((id) => [id, nodes.get(id)])),
      edges: [...used.keys()], paths,
      entry_points: [], tests: results.filter((r) => nodes.get(r.node).test && nodes.get(r.node).label === 'Function').map((r) => r.node),
      verdict: low || results.length === 0
        ? { level: results.length ? 'lower bound' : 'unknown', reasons: [{ code: 'unresolved-calls', message: '3 calls on the way could not be resolved.', count: 3 }] }
        : { level: 'complete', reasons: [] },
      cypher: [{ text: 'MATCH (n:Key {name: $name})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..20]->(m)\nRETURN DISTINCT m', params: { name: seeds[0].name } }],
      truncated: false, found: results.length, elapsed_ms: 12.4,
    };
  };
  const features = () => {
    const answer = operation('impact', { target: 'key:email', limit: 60 });
    const functions = all.filter((n) => n.label === 'Function' && n.tags.includes('ml-feature') && n.file.endsWith('email.py'));
    return { answer, functions };
  };
  return {
    'GET /api/v1/operations': ({ response }) => send(response, 200, { operations: OPERATIONS.map(([name, summary]) => ({ name, summary, parameters: ['target', 'direction', 'depth', 'limit'].map((name) => ({ name, type: 'text', required: name === 'target', default: null, doc: '' })), cypher: '', example: { target: 'key:email' } })) }),
    operation: ({ url, body, response }) => send(response, 200, operation(url.pathname.split('/').at(-1), body)),
    'POST /api/v1/impact': ({ body, response }) => {
      if (body.base === 'nowhere') throw new Error('git knows no revision `nowhere`');
      const changed = all.filter((n) => n.label === 'Function' && (body.diff ? body.diff.includes(n.file) : n.file.endsWith('request.go'))).slice(0, 3);
      const answer = operation('impact', { target: changed[0] ? String(changed[0].id) : 'key:email', limit: 60 });
      const toRun = all.filter((n) => n.label === 'Function' && n.test).slice(0, 4);
      for (const node of [...changed, ...toRun]) answer.nodes[node.id] = node;
      send(response, 200, {
        changed: changed.map((n) => ({ node: n.id, file: n.file, lines: [n.line, n.end_line], change: 'modified' })),
        answer, tests_to_run: toRun.map((n) => n.id),
        markdown: `### Impact\n\n${changed.length} symbols changed, ${answer.results.length} places reached.\n`,
      });
    },
    'POST /api/v1/feedback': ({ response }) => send(response, 200, { stored: 1 }),
    'GET /api/v1/source': ({ url, response }) => {
      const [file, from, to] = ['file', 'from', 'to'].map((name) => url.searchParams.get(name));
      const known = all.find((n) => n.label === 'File' && n.file === file);
      if (!known) throw Object.assign(new Error(`the index holds no file \`${file}\``), { status: 404, code: 'not_found' });
      const lines = readFileSync(path.join(source, file), 'utf8').split('\n');
      const last = Math.min(Number(to) || lines.length, lines.length);
      send(response, 200, { file, line: Number(from) || 1, end_line: last, text: lines.slice((Number(from) || 1) - 1, last).join('\n'), language: known.language });
    },
    'GET /api/v1/history': ({ response }) => send(response, 200, { commits: [{ hash: '3b1f0c2d9e8a7b6c5d4e', author: 'Ada', date: '2026-03-02T10:11:12Z', subject: 'Trim the address before it is stored' }, { hash: '9a8b7c6d5e4f3a2b1c0d', author: 'Grace', date: '2026-01-15T08:00:00Z', subject: 'Orders carry an address' }] }),
    'GET /api/v1/communities': ({ response }) => send(response, 200, { communities: communities(all, edges) }),
    'GET /api/v1/generations': ({ response }) => send(response, 200, {
      current: '000002', running: running?.() ?? null,
      generations: [{ name: '000002', built_at: 1795258549, files: 26, lines: 1148, nodes: 1047, relationships: 3285, seconds: 0.9 }, { name: '000001', built_at: 1795172149, files: 25, lines: 1101, nodes: 1002, relationships: 3105, seconds: 1.1 }],
    }),
    'GET /api/v1/examples': ({ response }) => send(response, 200, { questions: ['If a client stops sending us `email`, which ML features change?', 'Who calls `OrderRequest.toOrder`?', 'Which functions read the field `Order.Email`?', 'How is this code organised?'] }),
    'POST /api/v1/search': ({ body, response }) => {
      const words = body.query.toLowerCase().split(/\s+/);
      const fits = (n) => (!body.kinds || body.kinds.includes(n.label)) && (!body.languages || body.languages.includes(n.language)) && (body.tests || !n.test) && (!body.paths || body.paths.some((p) => n.file.startsWith(p)));
      const hits = all.filter(fits).map((n) => ({ n, score: words.filter((w) => `${n.qualified_name} ${n.doc}`.toLowerCase().includes(w)).length + (n.name.toLowerCase() === body.query.toLowerCase() ? 2 : 0) - (n.label === 'Variable' ? 0.5 : 0) })).filter((h) => h.score > 0).sort((a, b) => b.score - a.score).slice(0, body.limit);
      send(response, 200, { hits: hits.map(({ n, score }, rank) => ({ node: n, file: n.file, line: n.line, end_line: n.end_line, score, sources: [{ source: 'name', rank, score }, { source: 'vector', rank, score }], excerpt: '' })), faq: [], elapsed_ms: 3.2, notes: [] });
    },
    'POST /api/v1/ask': async ({ body, request, response }) => {
      const { answer, functions } = features();
      const text = `**${functions.length} features change** when \`email\` is no longer sent:\n\n${functions.map((f) => `- [${f.name}](${f.file}:${f.line}): ${f.doc.split('\n')[0]}`).join('\n')}\n\nThe address comes in at [OrderRequest.Email](api/handlers/request.go:17), leaves as \`contact_email\` and is read by [Somewhere](pipeline/nowhere.py:3).\n\n<img src=x onerror="alert(1)">`;
      const whole = {
        text, way: 'template',
        citations: [...functions.map((f) => ({ symbol: f.name, file: f.file, line: f.line, verified: true, node: f.id })), { symbol: 'OrderRequest.Email', file: 'api/handlers/request.go', line: 17, verified: true, node: null }, { symbol: 'Somewhere', file: 'pipeline/nowhere.py', line: 3, verified: false, node: null }],
        verified: functions.length + 1, unverified: 1, verdict: answer.verdict, cypher: answer.cypher, operation: answer, rows: null,
        seeds: answer.seeds.map((node) => ({ node, score: 0.9 })),
        trace: [{ stage: 'seeds', ms: 4.1, detail: '1 seed' }, { stage: 'template', ms: 12.4, detail: 'impact' }], model: null,
        usage: { prompt_tokens: 0, completion_tokens: 0, calls: 0 }, context: { q: body.question },
      };
      if (!request.headers.accept?.includes('text/event-stream')) return send(response, 200, whole);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const event = (name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      event('stage', { stage: 'seeds', detail: 'looking for what the question names', ms: 0 });
      await pause(120);
      event('seeds', whole.seeds);
      event('stage', { stage: 'template', detail: 'impact of key:email', ms: 4 });
      event('cypher', { ...answer.cypher[0], way: 'template' });
      if (/fail/.test(body.question)) {
        event('error', { error: { code: 'timeout', message: 'the query passed its time limit' } });
        return response.end();
      }
      await pause(120);
      for (const part of text.match(/[\s\S]{1,12}/g)) {
        event('token', { text: part });
        await pause(8);
      }
      event('citations', whole.citations);
      event('verdict', whole.verdict);
      event('answer', whole);
      response.end();
    },
  };
}

const OPERATIONS = [
  ['impact', 'What a value touches, and what depends on it'], ['flows', 'Where a value goes, or how it gets from one place to another'], ['callers', 'Who calls it'], ['callees', 'What it calls'],
  ['path', 'The shortest ways between two places'], ['readers_writers', 'Who reads and writes a field'], ['implementations', 'What implements an interface'], ['hierarchy', 'Types above and below'],
  ['uses_of_key', 'Who names a wire key'], ['tests_for', 'Tests that reach it'], ['explain', 'One node with its neighbourhood'],
];

function seedsOf(all, target) {
  const text = String(target);
  if (/^\d{6,}$/.test(text)) return all.filter((n) => n.id === Number(text));
  const kinded = /^(\w+):(.+)$/.exec(text);
  if (kinded && all.some((n) => n.label.toLowerCase() === kinded[1].toLowerCase())) return all.filter((n) => n.label.toLowerCase() === kinded[1].toLowerCase() && n.name === kinded[2]);
  const site = /^(.+\.\w+):(\d+)$/.exec(text);
  if (site) return all.filter((n) => n.file === site[1] && n.line === Number(site[2]) && n.label !== 'File').slice(0, 5);
  return all.filter((n) => n.name === text || n.qualified_name === text || n.qualified_name.endsWith(`.${text}`)).slice(0, 12);
}

function walk(edges, seeds, kinds, back, depth, least) {
  const next = new Map();
  for (const edge of edges) {
    if (!kinds.includes(edge.kind) || edge.confidence < least) continue;
    const at = back ? edge.to : edge.from;
    next.set(at, [...(next.get(at) ?? []), edge]);
  }
  const reached = new Map(seeds.map((n) => [n.id, { distance: 0, confidence: 1, edge: null, before: null }]));
  for (const [id, step] of reached) {
    if (step.distance >= depth) continue;
    for (const edge of next.get(id) ?? []) {
      const other = back ? edge.from : edge.to;
      if (!reached.has(other)) reached.set(other, { distance: step.distance + 1, confidence: step.confidence * edge.confidence, edge, before: id });
    }
  }
  return reached;
}

function communities(all, edges) {
  const folder = new Map(all.filter((n) => n.label === 'Function').map((n) => [n.id, path.dirname(n.file)]));
  const names = [...new Set(folder.values())];
  return names.map((name, id) => {
    const members = all.filter((n) => folder.get(n.id) === name);
    const links = new Map();
    for (const edge of edges) {
      if (edge.kind !== 'CALLS' || folder.get(edge.from) !== name) continue;
      const other = folder.get(edge.to);
      if (other && other !== name) links.set(names.indexOf(other), (links.get(names.indexOf(other)) ?? 0) + 1);
    }
    return { id, name, level: 0, parent: null, size: members.length, top: members.slice(0, 6), summary: `Functions of ${name}.`, links: [...links].map(([to, weight]) => ({ to, weight })) };
  });
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { url } = await mock({ upstream: process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474', source: process.env.SOURCE ?? '.', port: Number(process.env.PORT ?? 7480) });
  console.log(`mock on ${url}`);
}
