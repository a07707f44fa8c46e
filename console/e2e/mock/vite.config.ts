import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { mockServer } from './plugin.ts';

// `npm run mock`: the built console with made-up data, under the policy that the Go server sets.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [mockServer()],
  preview: {
    host: '127.0.0.1',
    port: Number(process.env.PORT ?? 7100),
    strictPort: true,
    headers: {
      'Content-Security-Policy':
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
    },
  },
});
