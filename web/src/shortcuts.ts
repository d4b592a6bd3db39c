// The sheet of keyboard shortcuts.

import { openDialog } from './dialog';
import { h } from './elements';
import { t } from './strings';

/** What keys do, by where; keys of one row are alternatives. */
const KEYS: [keyof typeof t.shortcuts.places, [string[], keyof typeof t.shortcuts.actions][]][] = [
  [
    'everywhere',
    [
      [['?'], 'help'],
      [['←', '→'], 'step'],
      [['Home', 'End'], 'ends'],
      [['f'], 'flip'],
      [['Ctrl+V'], 'paste'],
    ],
  ],
  [
    'board',
    [
      [['Tab'], 'focus'],
      [['←', '↑', '→', '↓'], 'cursor'],
      [['Enter'], 'pick'],
      [['q', 'r', 'b', 'n'], 'promote'],
    ],
  ],
  [
    'analyse',
    [
      [['↑', '↓'], 'variation'],
      [['Space'], 'best'],
      [['x'], 'threat'],
      [['Delete'], 'remove'],
      [['Ctrl+Z', 'Ctrl+Y'], 'undo'],
    ],
  ],
  ['review', [[['m', 'M'], 'mistake']]],
  [
    'microscope',
    [
      [['←', '→'], 'depth'],
      [['↑', '↓'], 'sibling'],
    ],
  ],
];

export function openShortcuts(): void {
  openDialog(
    t.shortcuts.title,
    () => {},
    h(
      'div',
      { class: 'shortcuts' },
      ...KEYS.map(([place, rows]) =>
        h(
          'section',
          {},
          h('h3', {}, t.shortcuts.places[place]),
          h(
            'dl',
            {},
            ...rows.flatMap(([keys, action]) => [
              h('dt', {}, ...keys.flatMap((key) => [h('kbd', {}, t.shortcuts.keys[key] ?? key), ' '])),
              h('dd', {}, t.shortcuts.actions[action]),
            ]),
          ),
        ),
      ),
    ),
  );
}
