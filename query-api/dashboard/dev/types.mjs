// Writes src/api/openapi.ts from the server's own description: `RIPPLE_URL=http://127.0.0.1:7474 npm run types`.

import { writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const server = process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474';
const document = await (await fetch(new URL('/openapi.json', server))).json();
const text = `// Generated from /openapi.json by \`npm run types\`; do not edit by hand.\n\n${astToString(await openapi(document))}`;
writeFileSync(new URL('../src/api/openapi.ts', import.meta.url), text);
