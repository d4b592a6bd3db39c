// Walking through a game: the buttons below a board and the keys for them, the same in every view.

import { h, sign } from './dom';
import type { Branch, Tree } from './tree';

/** A view that shows a place in a tree. */
export interface Walker {
  readonly tree: Tree;
  /** Goes to a place; nothing happens where there is none. */
  look(branch: Branch | undefined): void;
  flip(): void;
}

/** The buttons, and more of the view's own. */
export function stepButtons(walker: Walker, ...more: HTMLElement[]): HTMLElement {
  return h(
    'div',
    { class: 'steps' },
    sign('|◀', 'First position', () => walker.look(walker.tree.root)),
    sign('◀', 'Previous move', () => walker.look(walker.tree.at.parent)),
    sign('▶', 'Next move', () => walker.look(walker.tree.at.children[0])),
    sign('▶|', 'Last position', () => walker.look(walker.tree.end(walker.tree.at))),
    sign('⇅', 'Flip board', () => walker.flip()),
    ...more,
  );
}

/** How far a wheel turns for one move; touch pads turn it in small steps. */
const WHEEL_STEP = 40;

/** Steps through the game by the wheel while the pointer is over the board. */
export function stepByWheel(walker: Walker, board: HTMLElement): void {
  let turned = 0;
  board.addEventListener('wheel', (event) => {
    // With this key the wheel makes the page larger.
    if (event.ctrlKey) return;
    event.preventDefault();
    const amount = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * WHEEL_STEP;
    turned = Math.sign(amount) === Math.sign(turned) ? turned + amount : amount;
    if (Math.abs(turned) < WHEEL_STEP) return;
    walker.look(turned > 0 ? walker.tree.at.children[0] : walker.tree.at.parent);
    turned = 0;
  }, { passive: false });
}

/** Does what a key means; false if it means nothing. */
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
