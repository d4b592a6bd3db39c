// Files that are opened and saved.

import { h } from './elements';
import { notice } from './notices';
import { t } from './strings';

/** The largest file that is opened, in bytes: a larger one could not be sent to the studio. */
const MAX_FILE = 8_000_000;

/** Saves something as a file. */
export function download(content: string | Blob, name: string, type = 'application/x-chess-pgn'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The text of a file; nothing, and a message, if it is too large. */
export async function textOf(file: File | undefined): Promise<string | undefined> {
  if (file && file.size > MAX_FILE) return void notice(t.controls.fileTooLarge);
  return file?.text();
}
