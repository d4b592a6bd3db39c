// What the user has chosen, kept in the browser. Nothing of it is needed to go on.

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  lines: number;
  threads: number;
  hash: number;
  arrows: boolean;
  engineOn: boolean;
  elo: number;
  full: boolean;
  minutes: number;
  increment: number;
  timed: boolean;
  side: 'white' | 'random' | 'black';
  /** Depth (`d12`) or milliseconds (`t500`) for each position of a review. */
  effort: string;
  flipped: boolean;
}

const DEFAULTS: Settings = {
  theme: 'system',
  sound: false,
  lines: 2,
  threads: 1,
  hash: 64,
  arrows: true,
  engineOn: true,
  elo: 1500,
  full: false,
  minutes: 10,
  increment: 5,
  timed: false,
  side: 'white',
  effort: 'd12',
  flipped: false,
};

const KEY = 'vedette-settings';

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Settings = read();

/** Changes a setting and keeps it. */
export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  keep(KEY, JSON.stringify(settings));
}

/** Where the browser keeps something: for all tabs, or for this one. */
export type Shelf = 'localStorage' | 'sessionStorage';

/** Keeps a text in the browser, where it allows it. */
export function keep(key: string, text: string, shelf: Shelf = 'localStorage'): void {
  try {
    window[shelf].setItem(key, text);
  } catch {
    // Private windows may refuse, and there may be no room: then nothing is remembered, rather than something old.
    forget(key, shelf);
  }
}

function forget(key: string, shelf: Shelf): void {
  try {
    window[shelf].removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** A text that was kept. */
export function kept(key: string, shelf: Shelf = 'localStorage'): string | null {
  try {
    return window[shelf].getItem(key);
  } catch {
    return null;
  }
}

/** Puts the chosen theme on the page. */
export function applyTheme(): void {
  const dark = settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
