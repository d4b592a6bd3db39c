// Buttons and form controls.

import { h, type Attributes } from './elements';
import { announce } from './notices';
import { t } from './strings';

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', click: () => act(), ...attributes }, label);
}

/** A button with a symbol instead of text; the label is its tooltip and its name for screen readers. */
export function iconButton(
  symbol: string,
  label: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click: () => act(), ...attributes },
    h('span', { 'aria-hidden': 'true' }, symbol),
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
  return inputs.every((input) => input.closest('[hidden]') !== null || input.reportValidity());
}
