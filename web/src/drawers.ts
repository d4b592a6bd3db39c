// Collapsible parts of a panel, of which at most one is open. A part that opens gets the event `shown`.

import { h } from './elements';

let counter = 0;

export function drawers(parts: [string, HTMLElement][]): HTMLElement {
  const opened = parts.map(([label, part]) => {
    part.id ||= `drawer-${++counter}`;
    part.hidden = true;
    part.classList.add('drawer');
    const handle = h(
      'button',
      {
        type: 'button',
        class: 'handle',
        'aria-expanded': 'false',
        'aria-controls': part.id,
        click: () => {
          const open = !!part.hidden;
          for (const other of opened) other.show(other.part === part && open);
          if (open) part.scrollIntoView({ block: 'nearest' });
        },
      },
      label,
    );
    const show = (open: boolean): void => {
      part.hidden = !open;
      handle.setAttribute('aria-expanded', String(open));
      if (open) part.dispatchEvent(new Event('shown'));
    };
    return { handle, part, show };
  });
  return h(
    'div',
    { class: 'drawers' },
    h('div', { class: 'handles' }, ...opened.map(({ handle }) => handle)),
    ...parts.map(([, part]) => part),
  );
}
