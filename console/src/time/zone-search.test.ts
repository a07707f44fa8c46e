import { expect, test } from 'vitest';
import { allZones } from './format';
import { findZones } from './zone-search';

const zones = allZones();

test.each([
  ['new york', 'en', 'America/New_York'],
  ['Asia/Sh', 'en', 'Asia/Shanghai'],
  ['berlin', 'en', 'Europe/Berlin'],
  ['utc', 'en', 'UTC'],
  ['america la_paz', 'en', 'America/La_Paz'],
])('%s finds %s first', (search, locale, zone) => {
  expect(findZones(zones, search, locale)[0]).toBe(zone);
});

test('a zone is found by what it is called in the language of the reader', () => {
  expect(findZones(zones, '中国标准', 'zh-CN')).toContain('Asia/Shanghai');
  expect(findZones(zones, 'china standard', 'en')).toContain('Asia/Shanghai');
});

test('nothing typed finds all, nonsense none', () => {
  expect(findZones(zones, '  ', 'en')).toEqual(zones);
  expect(findZones(zones, 'nowhere at all', 'en')).toEqual([]);
});
