import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The built console with made-up data in a real browser: accessibility, overflow, console errors.
export default defineConfig({
  test: {
    include: ['e2e/mock/pages/*.test.ts'],
    root: fileURLToPath(new URL('../..', import.meta.url)),
    environment: 'node',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
