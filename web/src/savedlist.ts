// The list of stored reports, reviews, matches or recordings in a view.

import { removeButton } from './controls';
import { fill, h, type Attributes, type Child } from './elements';

export interface SavedItem {
  name: Child[];
  details: string;
  open: () => void;
  /** More attributes of the button that opens it. */
  attributes?: Attributes;
  /** More buttons. */
  buttons?: Child[];
  /** What is removed, for screen readers. */
  removed: string;
  remove: () => Promise<void>;
}

export function fillSavedList(into: HTMLElement, title: string, items: SavedItem[]): void {
  const row = (item: SavedItem): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'wide', click: () => item.open(), ...item.attributes },
        h('span', {}, ...item.name),
        h('span', { class: 'soft' }, item.details),
      ),
      ...(item.buttons ?? []),
      removeButton(item.removed, () => void item.remove()),
    );
  fill(into, h('h2', {}, title), h('ul', { class: 'list' }, ...items.map(row)));
}
