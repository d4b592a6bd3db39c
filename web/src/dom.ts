// Small helpers to make elements: the page has no framework and needs none.

export type Child = Node | string | number | null | undefined | false;

type Handler = (event: any) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Handler>;

/** Makes an element: attributes that are functions listen, `true` sets an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === 'number' ? String(child) : child);
  }
}

/** Replaces what is inside an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** A button that does something. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', click: () => act(), ...attributes }, label);
}

/** A button with a sign instead of words; the words are for those who do not see it. */
export function sign(symbol: string, label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'sign', title: label, 'aria-label': label, click: () => act(), ...attributes },
    h('span', { 'aria-hidden': 'true' }, symbol),
  );
}

/** A drawn sign: the lines of a picture that is 24 wide and high. */
export function icon(lines: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', lines);
  picture.append(path);
  return picture;
}

const SECOND_THOUGHTS = 4000;

/** A button for what cannot be undone: it asks, and the second press does it. */
export function sureButton(label: string, question: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  let asked: number | undefined;
  const calm = (): void => {
    clearTimeout(asked);
    asked = undefined;
    self.textContent = label;
    self.classList.remove('danger');
  };
  const self = h('button', {
    type: 'button',
    click: () => {
      if (asked !== undefined) {
        calm();
        return act();
      }
      self.textContent = question;
      self.classList.add('danger');
      announce(`${question} Press again to confirm.`);
      asked = window.setTimeout(calm, SECOND_THOUGHTS);
    },
    ...attributes,
  }, label);
  return self;
}

/** A small cross that removes something kept, after a second thought. */
export function remover(what: string, remove: () => void): HTMLButtonElement {
  return sureButton('×', 'Remove?', remove, { class: 'sign', title: 'Remove', 'aria-label': `Remove ${what}` });
}

/** When something was kept: its name begins with the second in which it was made. */
export function madeAt(id: string): string {
  const seconds = Number(id.split('-')[0]);
  if (!seconds) return '';
  return new Date(seconds * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

let counter = 0;

/** A label with what it labels. */
export function field(label: string, control: HTMLElement, attributes: Attributes = {}): HTMLElement {
  control.id ||= `field-${++counter}`;
  return h('div', { class: 'field', ...attributes }, h('label', { for: control.id }, label), control);
}

/** A choice of one among few, shown side by side. */
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

/** A switch. */
export function toggle(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = h('input', { type: 'checkbox', checked: on, change: () => change(box.checked) });
  return h('label', { class: 'toggle' }, box, h('span', {}, label));
}

/** Whether every field that is shown holds what it may; the browser points at the first that does not. */
export function areValid(parts: HTMLElement[]): boolean {
  const inputs = parts.flatMap((part) => [...part.querySelectorAll('input')]);
  return inputs.every((input) => input.closest('[hidden]') !== null || input.reportValidity());
}

/** A list to choose from. */
export function select(options: [string, string][], chosen: string, change: (value: string) => void): HTMLSelectElement {
  const list = h(
    'select',
    { change: () => change(list.value) },
    ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return list;
}

/** Says something to those who listen instead of look. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}

const MOST_NOTICES = 2;

/** A button on a message. */
export interface Remedy {
  label: string;
  act: () => void;
}

/** Shows a short message that goes away by itself, or when the answer is called. What is said already is not said again. */
export function notice(text: string, kind: 'error' | 'news' = 'error', remedy?: Remedy): () => void {
  const notices = document.getElementById('notices');
  if (!notices) return () => {};
  // A move at the beginning stays as it is: bxc3 is none of a bishop.
  const sentence = /^[a-h]x?[a-h]?[1-8]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  for (const old of [...notices.children]) if (old.firstElementChild?.textContent === sentence) old.remove();
  const item = h('div', { class: `notice ${kind}` }, h('span', {}, sentence));
  const dismiss = (): void => item.remove();
  if (remedy) {
    item.append(button(remedy.label, () => {
      dismiss();
      remedy.act();
    }));
  }
  item.append(sign('×', 'Dismiss', dismiss));
  notices.append(item);
  while (notices.childElementCount > MOST_NOTICES) notices.firstElementChild?.remove();
  setTimeout(dismiss, 8000);
  return dismiss;
}

/** The studio cannot be asked; what is said of it is true until the line is there again. */
export class Unreachable extends Error {}

export const NOT_RUNNING = 'the studio is not running: start "vedette studio" again';

const untilReached = new Set<() => void>();

/** Says what went wrong. */
export function complain(error: unknown): void {
  const dismiss = notice((error as Error).message);
  if (error instanceof Unreachable) untilReached.add(dismiss);
}

/** The studio is there: what was said of its absence is true no more. */
export function reached(): void {
  for (const dismiss of untilReached) dismiss();
  untilReached.clear();
}

/** Copies a text, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied`, 'news');
  } catch {
    notice(`Could not copy ${what}: the browser denied access to the clipboard`);
  }
}

/** Offers a text as a file. */
export function download(text: string, name: string, type = 'application/x-chess-pgn'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The most that is taken from a file, in bytes: more could not be sent to be reviewed. */
const MOST_OF_A_FILE = 8_000_000;

/** The text of a file; nothing, and a word about it, if it is too large. */
export async function textOf(file: File | undefined): Promise<string | undefined> {
  if (file && file.size > MOST_OF_A_FILE) return void notice('File too large for the page (8 MB). Use "vedette analyse FILE" instead');
  return file?.text();
}
