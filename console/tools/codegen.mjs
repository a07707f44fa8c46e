import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generate } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';
import { minifyIntrospectionQuery } from '@urql/introspection';
import { buildSchema, introspectionFromSchema, isEnumType } from 'graphql';

// Reads the server's schema, writes typed documents and the cache's schema to src/graphql/generated.
const root = fileURLToPath(new URL('..', import.meta.url));
const schemaDir = fileURLToPath(new URL('../../graph/schema/', import.meta.url));
const out = `${root}src/graphql/generated/`;
const note = '// Written by `npm run codegen`. Do not edit.\n';

await generate(
  {
    schema: `${schemaDir}*.graphqls`,
    documents: [`${root}src/**/*.{ts,tsx}`, `!${out}**`],
    ignoreNoDocuments: true,
    generates: {
      [out]: {
        preset,
        presetConfig: { fragmentMasking: false },
        config: {
          useTypeImports: true,
          skipTypename: true,
          strictScalars: true,
          scalars: {
            Date: 'string',
            Time: 'string',
            Duration: 'string',
            Long: 'string',
            JSON: 'unknown',
          },
        },
      },
    },
  },
  true,
);

const sdl = readdirSync(schemaDir)
  .filter((name) => name.endsWith('.graphqls'))
  .sort()
  .map((name) => readFileSync(schemaDir + name, 'utf8'))
  .join('\n');
const schema = minifyIntrospectionQuery(introspectionFromSchema(buildSchema(sdl)));
writeFileSync(
  `${out}schema.ts`,
  `${note}export const schema = ${JSON.stringify(schema)} as const;\n`,
);

// Every enum as a list of its values and a type: filters and labels need all values, used in a query or not.
const enums = Object.values(buildSchema(sdl).getTypeMap())
  .filter((type) => isEnumType(type) && !type.name.startsWith('__'))
  .map((type) => {
    const list = `${type.name[0].toLowerCase()}${type.name.slice(1)}Values`;
    const values = type.getValues().map((value) => `'${value.name}'`);
    return `export const ${list} = [${values.join(', ')}] as const;\nexport type ${type.name} = (typeof ${list})[number];\n`;
  });
writeFileSync(`${out}enums.ts`, note + enums.join('\n'));
