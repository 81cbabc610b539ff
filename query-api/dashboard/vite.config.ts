/// <reference types="vitest/config" />
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import preact from '@preact/preset-vite';
import { type Plugin, defineConfig } from 'vite';

// The server that `npm run dev` passes questions on to.
const server = process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474';

/** A compressed file beside each script and style sheet: the server does not compress by itself. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = 'dist' }) {
    const assets = path.join(dir, 'assets');
    for (const name of readdirSync(assets)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const file = path.join(assets, name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
  },
};

export default defineConfig({
  plugins: [preact(), compressed],
  // Relative addresses: the page works wherever it is served.
  base: './',
  build: {
    target: 'es2022',
    outDir: 'dist',
    // A data: address would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': server, '/health': server, '/openapi.json': server } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
