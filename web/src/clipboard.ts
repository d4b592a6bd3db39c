import { notice } from './notices';
import { t } from './strings';

/** Copies a text, and confirms it. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(t.controls.copied(what), 'news');
  } catch {
    notice(t.controls.notCopied(what));
  }
}
