/// <reference types="vitest/config" />
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

// The server that `npm run dev` passes questions on to.
const server = process.env.RIPPLE_URL ?? 'http://127.0.0.1:7474';

export default defineConfig({
  plugins: [preact()],
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
