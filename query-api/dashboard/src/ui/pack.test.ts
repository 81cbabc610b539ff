import { expect, test } from 'vitest';
import { pack, unpack } from './pack';

test('a text survives, in letters that an address may hold', async () => {
  const diff = '--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-é\n+🌊\n'.repeat(40);
  const packed = await pack(diff);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(diff.length / 4);
  expect(await unpack(packed)).toBe(diff);
});

test('nonsense is refused', async () => {
  await expect(unpack('not packed at all')).rejects.toThrow();
});
