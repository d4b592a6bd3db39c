// Stepping through a game: the buttons below a board and their keys, the same in every view.

import { iconButton } from './controls';
import { h } from './elements';
import { t } from './strings';
import type { Branch, Tree } from './tree';

/** A view that shows a position of a tree. */
export interface Walker {
  readonly tree: Tree;
  /** Goes to a position, if there is one. */
  look(branch: Branch | undefined): void;
  flip(): void;
}

/** The buttons, followed by others of the view. */
export function stepButtons(walker: Walker, ...more: HTMLElement[]): HTMLElement {
  return h(
    'div',
    { class: 'steps' },
    iconButton('first', t.walk.first, () => walker.look(walker.tree.root)),
    iconButton('previous', t.walk.previous, () => walker.look(walker.tree.at.parent)),
    iconButton('next', t.walk.next, () => walker.look(walker.tree.at.children[0])),
    iconButton('last', t.walk.last, () => walker.look(walker.tree.end(walker.tree.at))),
    iconButton('flip', t.walk.flip, () => walker.flip()),
    ...more,
  );
}

/** Wheel distance of one move; touch pads scroll in small steps. */
const WHEEL_STEP = 40;

/** Steps through the game with the mouse wheel over the board. */
export function stepByWheel(walker: Walker, board: HTMLElement): void {
  let turned = 0;
  board.addEventListener(
    'wheel',
    (event) => {
      // Ctrl and the wheel zoom the page.
      if (event.ctrlKey) return;
      event.preventDefault();
      const amount =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * WHEEL_STEP;
      turned = Math.sign(amount) === Math.sign(turned) ? turned + amount : amount;
      if (Math.abs(turned) < WHEEL_STEP) return;
      walker.look(turned > 0 ? walker.tree.at.children[0] : walker.tree.at.parent);
      turned = 0;
    },
    { passive: false },
  );
}

/** Handles a key; false if it has no meaning. */
export function stepByKey(walker: Walker, key: string): boolean {
  const { tree } = walker;
  const steps: Record<string, () => void> = {
    ArrowLeft: () => walker.look(tree.at.parent),
    ArrowRight: () => walker.look(tree.at.children[0]),
    Home: () => walker.look(tree.root),
    End: () => walker.look(tree.end(tree.at)),
    f: () => walker.flip(),
  };
  steps[key]?.();
  return key in steps;
}
