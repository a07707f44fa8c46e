import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { keepPlaceholder } from './build/keep.ts';
import { precompress } from './build/precompress.ts';

const server = process.env.BELFRY_SERVER ?? 'http://127.0.0.1:7000';
const path = (p: string) => fileURLToPath(new URL(p, import.meta.url));

export default defineConfig({
  plugins: [react(), precompress(), keepPlaceholder()],
  resolve: { alias: { '@mock': path('./e2e/mock'), '@': path('./src') } },
  build: {
    target: 'es2023',
    // The page's policy allows no data: images, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        // Libraries change rarely: a chunk of their own stays in the browser's cache over releases.
        manualChunks(id: string) {
          if (!id.includes('node_modules')) return undefined;
          if (/\/(react|react-dom|scheduler)\//.test(id)) return 'react';
          if (/\/@mantine\/|\/@floating-ui\//.test(id)) return 'mantine';
          if (/\/(urql|@urql|graphql|graphql-ws|wonka|@0no-co)\//.test(id)) return 'data';
          if (/\/@tanstack\/(react-router|router-core|history|react-store|store)\//.test(id))
            return 'router';
          return undefined;
        },
      },
    },
  },
  server: {
    proxy: { '/graphql': { target: server, ws: true }, '/auth': server, '/download': server },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    env: { TZ: 'UTC' },
    restoreMocks: true,
    maxWorkers: 2,
    // The whole console in jsdom, on a busy machine.
    testTimeout: 60_000,
  },
});
