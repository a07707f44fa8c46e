/** The languages of the console. */
export const locales = ['en', 'zh-CN'] as const;
export type Locale = (typeof locales)[number];

/** Each language's own name: shown as it is in every language. */
export const localeNames: Record<Locale, string> = { en: 'English', 'zh-CN': '简体中文' };

const key = 'belfry.locale';

/** Narrows any text to a language of the console; null when it is none. */
export function toLocale(value: string | null | undefined): Locale | null {
  return locales.find((l) => l === value) ?? null;
}

/** What stands between the names of a list in a language. */
export function listMark(language: string): string {
  return language.startsWith('zh') ? '、' : ', ';
}

/** The language chosen on this browser, else the browser's own, else English. */
export function initialLocale(): Locale {
  const stored = toLocale(localStorage.getItem(key));
  if (stored) return stored;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}

/** Whether a language was chosen on this browser. */
export function hasOwnLocale(): boolean {
  return toLocale(localStorage.getItem(key)) !== null;
}

/** Remembers the language on this browser. */
export function storeLocale(locale: Locale): void {
  localStorage.setItem(key, locale);
}
