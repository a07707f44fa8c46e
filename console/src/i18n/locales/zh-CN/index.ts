// All Chinese messages, one file a feature. A new file is picked up by itself.
const files = import.meta.glob<Record<string, unknown>>('./*.json', {
  eager: true,
  import: 'default',
});

export const messages = Object.fromEntries(
  Object.entries(files).map(([path, content]) => [path.slice(2, -'.json'.length), content]),
);
