import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Locale, storeLocale } from './locale';

type Messages = Record<string, Record<string, unknown>>;

// Only the language in use is loaded.
const loaders: Record<Locale, () => Promise<{ messages: unknown }>> = {
  en: () => import('./locales/en'),
  'zh-CN': () => import('./locales/zh-CN'),
};

async function load(locale: Locale): Promise<Messages> {
  return (await loaders[locale]()).messages as Messages;
}

/** Starts translation in one language and answers the instance that the provider needs. */
export async function startI18n(locale: Locale): Promise<i18n> {
  const messages = await load(locale);
  const instance = i18next.createInstance();
  await instance.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    ns: Object.keys(messages),
    defaultNS: 'common',
    resources: { [locale]: messages },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = locale;
  return instance;
}

/** Loads a language, switches to it and remembers it on this browser. */
export async function switchLocale(instance: i18n, locale: Locale): Promise<void> {
  const messages = await load(locale);
  for (const [ns, content] of Object.entries(messages)) {
    instance.addResourceBundle(locale, ns, content, true, true);
  }
  await instance.changeLanguage(locale);
  document.documentElement.lang = locale;
  storeLocale(locale);
}
