import { locale } from './strings';

/** Today in the user's calendar, as PGN writes it. */
export function today(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** A PGN date as the language writes it; one that is not complete stays as it is. */
export function dateOf(date: string): string {
  const [, year, month, day] = /^(\\d{4})\\.(\\d\\d)\\.(\\d\\d)$/.exec(date) ?? [];
  if (!day) return date;
  return new Date(Number(year), Number(month) - 1, Number(day)).toLocaleDateString(locale, { dateStyle: 'medium' });
}

/** When a stored item was created: its id starts with the time in seconds. */
export function createdAt(id: string): string {
  const seconds = Number(id.split('-')[0]);
  if (!seconds) return '';
  return new Date(seconds * 1000).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
