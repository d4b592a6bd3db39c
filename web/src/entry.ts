// Keyboard input of moves.

import type { Chess } from 'chessops/chess';
import { field } from './controls';
import { h } from './elements';
import { typed } from './notation';
import { makeUci } from './rules';
import { t } from './strings';

export interface MoveEntry {
  element: HTMLElement;
  /** Clears the error. */
  reset(): void;
}

/** The input; `play` gets the move in UCI notation. */
export function moveEntry(at: () => Chess, play: (uci: string) => void): MoveEntry {
  const input = h('input', {
    type: 'text',
    class: 'entry',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: t.controls.moveExamples,
    'aria-describedby': 'entry-error',
    input: () => reset(),
    keydown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === 'Escape') input.blur();
      if (event.key !== 'Enter' || !input.value.trim()) return;
      const move = typed(at(), input.value);
      if (move) {
        input.value = '';
        play(makeUci(move));
      } else fault.textContent = t.controls.illegalMove(input.value);
    },
  });
  const fault = h('span', { id: 'entry-error', class: 'form-error', role: 'status' });
  const reset = (): void => void (fault.textContent = '');
  return { element: h('div', { class: 'entry-row' }, field(t.controls.typeMove, input), fault), reset };
}
