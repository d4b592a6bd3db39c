// Buttons and form controls.

import { h, icon, type Attributes } from './elements';
import { announce } from './notices';
import { t } from './strings';

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', click: () => act(), ...attributes }, label);
}

/** Icons of buttons, as paths. */
export const ICONS = {
  first: 'M18 5 9 12l9 7zM6 5v14',
  previous: 'M16.5 5 7.5 12l9 7z',
  next: 'M7.5 5l9 7-9 7z',
  last: 'M6 5l9 7-9 7zM18 5v14',
  flip: 'M8 20V5M4.5 8.5 8 5l3.5 3.5M16 4v15M12.5 15.5 16 19l3.5-3.5',
  undo: 'M8.5 4 4.5 8l4 4M5 8h9a5.5 5.5 0 0 1 0 11H8',
  left: 'M19 12H5M11 6l-6 6 6 6',
  right: 'M5 12h14M13 6l6 6-6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
};

/** A button with an icon instead of text; the label is its tooltip and its name for screen readers. */
export function iconButton(
  name: keyof typeof ICONS,
  label: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click: () => act(), ...attributes },
    icon(ICONS[name]),
  );
}

/** How long a button waits for the second press, in milliseconds. */
const CONFIRM_WITHIN = 4000;

/** A button for what cannot be undone: the second press confirms. */
export function confirmButton(
  label: string,
  question: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  let asked: number | undefined;
  const reset = (): void => {
    clearTimeout(asked);
    asked = undefined;
    self.textContent = label;
    self.classList.remove('danger');
  };
  const self = h(
    'button',
    {
      type: 'button',
      click: () => {
        if (asked !== undefined) {
          reset();
          return act();
        }
        self.textContent = question;
        self.classList.add('danger');
        announce(t.controls.pressAgain(question));
        asked = window.setTimeout(reset, CONFIRM_WITHIN);
      },
      ...attributes,
    },
    label,
  );
  return self;
}

/** A progress bar below what is done and how far it is. */
export function progressBar(what: string, howFar: string, bar: Attributes): HTMLElement[] {
  return [
    h('div', { class: 'between' }, h('span', {}, what), h('span', { class: 'soft' }, howFar)),
    h('progress', bar),
  ];
}

/** A small cross that removes a stored item, with confirmation. */
export function removeButton(what: string, remove: () => void): HTMLButtonElement {
  return confirmButton('×', t.controls.removeAsk, remove, {
    class: 'icon-button',
    title: t.controls.remove,
    'aria-label': t.controls.removeOf(what),
  });
}

let counter = 0;

/** A control with its label. */
export function field(label: string, control: HTMLElement, attributes: Attributes = {}): HTMLElement {
  control.id ||= `field-${++counter}`;
  return h('div', { class: 'field', ...attributes }, h('label', { for: control.id }, label), control);
}

/** Radio buttons side by side. */
export function choice<T extends string>(
  legend: string,
  options: [T, string][],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const name = `choice-${++counter}`;
  const items = options.map(([value, text]) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name, value, checked: value === chosen, change: () => change(value) }),
      h('span', {}, text),
    ),
  );
  return h('fieldset', { class: 'choice' }, h('legend', {}, legend), h('div', { class: 'choices' }, ...items));
}

export function toggle(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = h('input', { type: 'checkbox', checked: on, change: () => change(box.checked) });
  return h('label', { class: 'toggle' }, box, h('span', {}, label));
}

export function select(
  options: [string, string][],
  chosen: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const list = h(
    'select',
    { change: () => change(list.value) },
    ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return list;
}

/** How engines other than Vedette come into the lists. */
export function addEngines(): HTMLElement {
  return h(
    'p',
    { class: 'soft' },
    t.controls.otherEngines,
    h('code', {}, 'vedette engine add NAME COMMAND'),
    t.controls.thenReload,
  );
}

/** Whether all visible inputs are valid; the browser points at the first that is not. */
export function areValid(parts: HTMLElement[]): boolean {
  const inputs = parts.flatMap((part) => [...part.querySelectorAll('input')]);
  return inputs.every((input) => {
    if (input.closest('[hidden]') !== null || input.checkValidity()) return true;
    // What is folded away cannot be pointed at.
    const folded = input.closest('details');
    if (folded) folded.open = true;
    return input.reportValidity();
  });
}
