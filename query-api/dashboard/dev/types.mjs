// Writes src/api/openapi.ts from the server's own description: `RIPPLE_URL=http://127.0.0.1:7474 npm run types`.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapi, { astToString } from 'openapi-typescript';

export const FILE = fileURLToPath(new URL('../src/api/openapi.ts', import.meta.url));

/** The types that a server's description amounts to. */
export async function types(server) {
  const document = await (await fetch(new URL('/openapi.json', server))).json();
  return `// Generated from /openapi.json by \`npm run types\`; do not edit by hand.\n\n${astToString(await openapi(document))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await types(process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474'));
