// Short messages on the page, and announcements for screen readers.

import { h } from './elements';
import { t } from './strings';

const MAX_NOTICES = 2;
/** How long a message is shown, in milliseconds. */
const SHOWN_FOR = 8000;

/** A button on a message. */
export interface NoticeAction {
  label: string;
  act: () => void;
}

/** Shows a message that disappears by itself, or when the returned function is called. A message is not repeated. */
export function notice(text: string, kind: 'error' | 'news' = 'error', action?: NoticeAction): () => void {
  const notices = document.getElementById('notices');
  if (!notices) return () => {};
  // A move at the start keeps its case: bxc3 is not Bxc3.
  const sentence = /^[a-h]x?[a-h]?[1-8]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  for (const old of [...notices.children]) if (old.firstElementChild?.textContent === sentence) old.remove();
  const item = h('div', { class: `notice ${kind}` }, h('span', {}, sentence));
  const dismiss = (): void => item.remove();
  if (action) {
    item.append(
      h(
        'button',
        {
          type: 'button',
          click: () => {
            dismiss();
            action.act();
          },
        },
        action.label,
      ),
    );
  }
  const cross = h('span', { 'aria-hidden': 'true' }, '×');
  item.append(
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        title: t.controls.dismiss,
        'aria-label': t.controls.dismiss,
        click: dismiss,
      },
      cross,
    ),
  );
  notices.append(item);
  while (notices.childElementCount > MAX_NOTICES) notices.firstElementChild?.remove();
  setTimeout(dismiss, SHOWN_FOR);
  return dismiss;
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}
