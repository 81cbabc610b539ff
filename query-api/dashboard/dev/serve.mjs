// Serves `dist/` as `ripple serve` does, under /ui/ and with the same Content-Security-Policy, and passes the rest on.

import { createReadStream, existsSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const DIST = fileURLToPath(new URL('../dist', import.meta.url));

// As in query-api/src/serve/dashboard.rs.
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };

/** Answers a request for a file of the dashboard; false if it is for something else. */
export function asset(request, response) {
  const url = new URL(request.url, 'http://x');
  if (url.pathname === '/') {
    response.writeHead(302, { location: '/ui/' }).end();
    return true;
  }
  if (!url.pathname.startsWith('/ui/')) return false;
  const file = path.join(DIST, url.pathname === '/ui/' ? 'index.html' : path.normalize(url.pathname.slice(4)));
  const found = file.startsWith(DIST) && existsSync(file) && statSync(file).isFile();
  if (!found) {
    response.writeHead(404).end();
    return true;
  }
  response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' });
  createReadStream(file).pipe(response);
  return true;
}

/** Passes a request on to another server. */
export function forward(upstream, request, response) {
  const to = new URL(request.url, upstream);
  const passed = http.request(to, { method: request.method, headers: { ...request.headers, host: to.host } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  // Who asked has gone: so has the question.
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}

/** Pages out of `dist/`, everything else from another server: pages can be tried without building the binary anew. */
export async function front(upstream, port = 0) {
  const server = http.createServer((request, response) => {
    if (!asset(request, response)) forward(upstream, request, response);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await front(process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474', Number(process.env.PORT ?? 7480));
  console.log(`${url}/ui/`);
}
