const names = new Map<string, string>();

/** What a zone is called in a language, "China Standard Time"; it is asked for only while somebody searches. */
function zoneName(zone: string, locale: string): string {
  const key = `${locale} ${zone}`;
  let name = names.get(key);
  if (name === undefined) {
    const parts = new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      timeZoneName: 'long',
    }).formatToParts(0);
    name = parts.find((p) => p.type === 'timeZoneName')?.value ?? '';
    names.set(key, name);
  }
  return name;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[_/\s-]+/g, ' ')
    .trim();

/**
 * The zones of a list whose IANA name, or name in the reader's language, contains every word of
 * the search; those whose city begins with it first. All of them for an empty search.
 */
export function findZones(zones: readonly string[], search: string, locale: string): string[] {
  const wanted = plain(search);
  if (wanted === '') return [...zones];
  const words = wanted.split(' ');
  const hits = zones.filter((zone) => {
    const text = plain(`${zone} ${zoneName(zone, locale)}`);
    return words.every((word) => text.includes(word));
  });
  const begins = (zone: string) =>
    plain(zone).startsWith(wanted) ||
    plain(zone.slice(zone.lastIndexOf('/') + 1)).startsWith(wanted);
  return [...hits.filter(begins), ...hits.filter((zone) => !begins(zone))];
}
