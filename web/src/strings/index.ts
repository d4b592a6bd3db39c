// All text that the page shows, in the user's language. A key that a language lacks is a compile error.

import { settings } from '../settings';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';

/** The texts of a language. */
export type Strings = typeof en;

/** The languages by their code, each with its own name. */
export const LANGUAGES = {
  en: { name: 'English', strings: en },
  fr: { name: 'Français', strings: fr },
  es: { name: 'Español', strings: es },
} satisfies Record<string, { name: string; strings: Strings }>;
export type Language = keyof typeof LANGUAGES;

/** The language of the settings, or else the first of the browser's that there is. */
function choose(): Language {
  const wanted = [settings.language, ...navigator.languages].map((tag) => tag.split('-')[0]!);
  return (wanted.find((code) => code in LANGUAGES) ?? 'en') as Language;
}

export const language = choose();
export const t: Strings = LANGUAGES[language].strings;

/** How dates and numbers are written: as in the user's country, if the language is spoken there. */
export const locale = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;

/** A number with so many decimals. */
export function decimal(value: number, digits: number): string {
  const text = value.toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  return text.replace('-', '−');
}
