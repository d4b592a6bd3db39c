// Errors that are shown to the user.

import { notice } from './notices';
import { t } from './strings';

/** The studio cannot be reached; the message disappears when it can be reached again. */
export class Unreachable extends Error {}

export const NOT_RUNNING = t.errors.notRunning;
export const NOT_ALLOWED = t.errors.notAllowed;

const untilReached = new Set<() => void>();

export function showError(error: unknown): void {
  const dismiss = notice(error instanceof Error ? error.message : String(error));
  if (error instanceof Unreachable) untilReached.add(dismiss);
}

/** Dismisses the messages that the studio cannot be reached. */
export function reached(): void {
  for (const dismiss of untilReached) dismiss();
  untilReached.clear();
}
