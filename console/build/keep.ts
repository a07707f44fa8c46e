import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Puts dist/.gitkeep back after a build emptied the folder: Go's embed needs a file in it. */
export function keepPlaceholder(): Plugin {
  let out = 'dist';
  return {
    name: 'belfry-keep-placeholder',
    apply: 'build',
    configResolved(config) {
      out = config.build.outDir;
    },
    closeBundle() {
      writeFileSync(join(out, '.gitkeep'), '');
    },
  };
}
