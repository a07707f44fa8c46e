import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { locales } from './locale';

const root = join(process.cwd(), 'src');
const dir = (locale: string) => join(root, 'i18n', 'locales', locale);

function keys(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.entries(value).flatMap(([key, child]) =>
    keys(child, prefix ? `${prefix}.${key}` : key),
  );
}

function texts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(texts);
}

const read = (locale: string, file: string): unknown =>
  JSON.parse(readFileSync(join(dir(locale), file), 'utf8'));

// Chinese has one plural form, English two: the form is no part of the key.
const withoutPlural = (all: string[]) =>
  [...new Set(all.map((k) => k.replace(/_(one|other)$/, '')))].sort();

const files = readdirSync(dir('en')).filter((f) => f.endsWith('.json'));

test('all languages have the same message files', () => {
  for (const locale of locales) {
    expect(readdirSync(dir(locale)).filter((f) => f.endsWith('.json'))).toEqual(files);
  }
});

test.each(files)('%s has the same keys and placeholders in all languages', (file) => {
  const en = read('en', file);
  const zh = read('zh-CN', file);
  expect(withoutPlural(keys(zh))).toEqual(withoutPlural(keys(en)));
  for (const text of [...texts(en), ...texts(zh)]) expect(text.trim(), file).not.toBe('');
  const placeholders = (value: unknown, path: string) => {
    const found = path
      .split('.')
      .reduce<unknown>((v, k) => (v as Record<string, unknown>)?.[k], value);
    return typeof found === 'string' ? [...new Set(found.match(/\{\{\w+\}\}/g))].sort() : null;
  };
  for (const key of keys(en)) {
    const own = placeholders(zh, key);
    if (own && !key.endsWith('_one')) expect(own, `${file}: ${key}`).toEqual(placeholders(en, key));
  }
});

const spoken = new Set([
  'label',
  'title',
  'placeholder',
  'aria-label',
  'description',
  'alt',
  'header',
  'confirm',
]);
const isWords = (text: string) => /\p{L}{2,}/u.test(text);

/** Texts for people that stand in the code instead of a message file. */
function hardCoded(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && isWords(node.text)) {
      const parent = ts.isJsxElement(node.parent)
        ? node.parent.openingElement.tagName.getText()
        : '';
      if (parent !== 'kbd') found.push(node.text.trim());
    }
    const literal =
      ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer);
    if (literal && spoken.has(node.name.getText()) && isWords(node.initializer.getText())) {
      found.push(node.initializer.getText());
    }
    if (
      ts.isPropertyAssignment(node) &&
      spoken.has(node.name.getText()) &&
      ts.isStringLiteral(node.initializer) &&
      /\p{L}+ \p{L}+/u.test(node.initializer.text)
    ) {
      found.push(node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function components(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : components(path);
    return path.endsWith('.tsx') && !path.includes('.test.') ? [path] : [];
  });
}

test('no component has texts of its own', () => {
  const offenders = components(root).flatMap((path) =>
    hardCoded(path).map((text) => `${path.slice(root.length)}: ${text}`),
  );
  expect(offenders).toEqual([]);
});
