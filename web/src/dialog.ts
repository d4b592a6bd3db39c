// A dialog over the page: the browser keeps the focus in it, and Escape closes it.

import { iconButton } from './controls';
import { h, type Child } from './elements';
import { t } from './strings';

/** Shows a dialog; `closed` is called when it is gone. */
export function openDialog(title: string, closed: () => void, ...content: Child[]): void {
  const heading = h('h2', { id: 'dialog-title' }, title);
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id },
    h(
      'div',
      { class: 'between' },
      heading,
      iconButton('cross', t.controls.dismiss, () => dialog.close()),
    ),
    ...content,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed();
  });
  // A click beside it closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/** Closes the dialog, if one is open: another view has been opened behind it. */
export function closeDialog(): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

/** Whether keys belong to a dialog. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
