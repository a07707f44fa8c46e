import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLSchema } from 'graphql';

/** The server's schema, read from the same files as the server's own code. Runs from the console folder. */
export function loadSchema(): GraphQLSchema {
  const dir = join(process.cwd(), '..', 'graph', 'schema');
  const sdl = readdirSync(dir)
    .filter((name) => name.endsWith('.graphqls'))
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'));
  return buildSchema(sdl.join('\n'));
}
