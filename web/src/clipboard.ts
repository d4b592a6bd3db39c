import { notice } from './notices';

/** Copies a text, and confirms it. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied`, 'news');
  } catch {
    notice(`Could not copy ${what}: the browser denied access to the clipboard`);
  }
}
