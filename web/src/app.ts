// What all views share: the line to the studio, and the way from one view to another.

import type { Line } from './socket';
import type { Tree } from './tree';

export type ViewName = 'play' | 'analyse' | 'review' | 'microscope' | 'matches' | 'doctor' | 'network';

/** What a view is opened with. */
export interface Arrival {
  /** A game to look at, and the place in it. */
  tree?: Tree;
  /** Games to review. */
  pgn?: string;
  /** A position. */
  fen?: string;
  /** Games or a position, as they were pasted or dropped. */
  text?: string;
}

export interface App {
  line: Line;
  /** Opens a view. */
  go(view: ViewName, arrival?: Arrival): void;
}

/** A view on the page. */
export interface View {
  element: HTMLElement;
  /** Called with keys that nothing else has used; true if it did something. */
  key?(event: KeyboardEvent): boolean;
  /** Called with a game or position that was pasted or dropped; true if the view takes it. */
  text?(text: string): boolean;
  /** Called when the last change is to be undone, or done again; true if the view has something of the kind. */
  undo?(again: boolean): boolean;
  close(): void;
}

/** The day in the user's calendar, as PGN writes it. */
export function today(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}
