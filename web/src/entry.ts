// A field to type moves into, for those who play by keyboard.

import type { Chess } from 'chessops/chess';
import { field, h } from './dom';
import { fromText, makeUci } from './rules';

/** A field to type moves into. */
export interface MoveEntry {
  element: HTMLElement;
  /** Forgets what was wrong: the position is another one. */
  calm(): void;
}

/** The field; `play` gets the move in UCI. */
export function moveEntry(at: () => Chess, play: (uci: string) => void): MoveEntry {
  const input = h('input', {
    type: 'text',
    class: 'entry',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'e4, Nf3, O-O, e7e8q …',
    'aria-describedby': 'entry-fault',
    input: () => calm(),
    keydown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === 'Escape') input.blur();
      if (event.key !== 'Enter' || !input.value.trim()) return;
      const move = fromText(at(), input.value);
      if (move) {
        input.value = '';
        play(makeUci(move));
      } else fault.textContent = `Illegal move: ${input.value}`;
    },
  });
  const fault = h('span', { id: 'entry-fault', class: 'fault', role: 'status' });
  const calm = (): void => void (fault.textContent = '');
  return { element: h('div', { class: 'entry-row' }, field('Type a move', input), fault), calm };
}
