// What all views share: the connection to the studio, and navigation between views.

import type { StudioClient } from './client';
import type { Tree } from './tree';

export type ViewName =
  | 'welcome'
  | 'play'
  | 'analyse'
  | 'review'
  | 'library'
  | 'microscope'
  | 'matches'
  | 'doctor'
  | 'network';

/** What a view is opened with. */
export interface Arrival {
  /** A game to analyse, and the current move. */
  tree?: Tree;
  /** Games to review. */
  pgn?: string;
  /** A position. */
  fen?: string;
  /** Games or a position, as they were pasted or dropped. */
  text?: string;
}

export interface App {
  studio: StudioClient;
  /** Opens a view. */
  go(view: ViewName, arrival?: Arrival): void;
}

/** A view on the page. */
export interface View {
  element: HTMLElement;
  /** Handles keys that nothing else has handled; true if it did something. */
  key?(event: KeyboardEvent): boolean;
  /** Handles a game or position that was pasted or dropped; true if the view takes it. */
  text?(text: string): boolean;
  /** Undoes or redoes the last change; true if the view can undo. */
  undo?(again: boolean): boolean;
  close(): void;
}
