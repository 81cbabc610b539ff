// The types that the pages are written against are those of the server that serves them.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILE, types } from '../dev/types.mjs';
import { server } from './harness';

test('src/api/openapi.ts is what the server describes; `npm run types` writes it anew', async () => {
  const shop = await server();
  const told = await types(new URL('..', shop.url).href);
  await shop.stop();
  expect(readFileSync(FILE, 'utf8')).toBe(told);
});
