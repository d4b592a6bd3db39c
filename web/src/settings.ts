// The user's settings, stored in the browser.

/** Colours of boards, as in theme.css. */
export const BOARDS = ['green', 'brown', 'blue', 'grey'] as const;

/** Sets of pieces, as in pieces.css and pieces.ts. */
export const PIECES = ['classic', 'silhouettes', 'letters'] as const;

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  /** The code of a language; empty for the browser's. */
  language: string;
  notation: 'letters' | 'figurines';
  /** The user's name; empty for none. */
  name: string;
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  lines: number;
  threads: number;
  hash: number;
  arrows: boolean;
  engineOn: boolean;
  /** Other engines that analyse too. */
  others: string[];
  /** Where the analysis stops: `inf`, a depth (`d30`) or milliseconds (`t10000`). */
  limit: string;
  elo: number;
  full: boolean;
  /** The engine to play against; empty for Vedette. */
  opponent: string;
  minutes: number;
  increment: number;
  timed: boolean;
  side: 'white' | 'random' | 'black';
  /** Depth (`d12`) or milliseconds (`t500`) for each position of a review. */
  effort: string;
  /** The engine that reviews; empty for Vedette. */
  reviewer: string;
  flipped: boolean;
}

const DEFAULTS: Settings = {
  theme: 'system',
  sound: false,
  language: '',
  notation: 'letters',
  name: '',
  board: 'green',
  pieces: 'classic',
  lines: 2,
  threads: 1,
  hash: 64,
  arrows: true,
  engineOn: true,
  others: [],
  limit: 'inf',
  elo: 1500,
  full: false,
  opponent: '',
  minutes: 10,
  increment: 5,
  timed: false,
  side: 'white',
  effort: 'd12',
  reviewer: '',
  flipped: false,
};

const KEY = 'vedette-settings';

/** What a form was filled in with the last time, over what it has by default. */
export function remembered<T extends object>(form: string, defaults: T): T {
  try {
    return { ...defaults, ...JSON.parse(stored(`vedette-form-${form}`) ?? '{}') };
  } catch {
    return { ...defaults };
  }
}

/** Remembers what a form is filled in with. */
export function remember(form: string, values: object): void {
  store(`vedette-form-${form}`, JSON.stringify(values));
}

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Settings = read();

/** Changes a setting and stores it. */
export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  store(KEY, JSON.stringify(settings));
}

/** The browser's storage for all tabs, or for this one. */
export type StorageName = 'localStorage' | 'sessionStorage';

/** Stores a text in the browser, if it allows it. */
export function store(key: string, text: string, storage: StorageName = 'localStorage'): void {
  try {
    window[storage].setItem(key, text);
  } catch {
    // Private windows may refuse, and there may be no space: then nothing is stored, rather than something old.
    discard(key, storage);
  }
}

function discard(key: string, storage: StorageName): void {
  try {
    window[storage].removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** A stored text. */
export function stored(key: string, storage: StorageName = 'localStorage'): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Applies theme, board and pieces. */
export function applyTheme(): void {
  const dark =
    settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset } = document.documentElement;
  dataset.theme = dark ? 'dark' : 'light';
  dataset.board = settings.board;
  dataset.pieces = settings.pieces;
}
