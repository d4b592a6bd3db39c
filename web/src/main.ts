// The page: header, navigation between views, keys, paste and drop.

import type { App, Arrival, View, ViewName } from './app';
import { StudioClient } from './client';
import { fill, h, icon, type Child } from './elements';
import { reached } from './errors';
import { textOf } from './files';
import { notice } from './notices';
import { language, t } from './strings';
import { closeDialog, isDialogOpen } from './dialog';
import { definePieces } from './pieces';
import { openPreferences } from './preferences';
import { openShortcuts } from './shortcuts';
import { isFen } from './tree';
import { applyTheme, set, settings, store, stored, type Settings } from './settings';
import { AnalyseView } from './views/analyse';
import { DoctorView } from './views/doctor';
import { LibraryView } from './views/library';
import { MatchesView } from './views/matches';
import { MicroscopeView } from './views/microscope';
import { NetworkView } from './views/network';
import { PlayView } from './views/play';
import { ReviewView } from './views/review';
import { WelcomeView } from './views/welcome';

const VIEWS: Record<ViewName, (app: App, arrival: Arrival) => View> = {
  welcome: () => new WelcomeView(),
  play: (app, arrival) => new PlayView(app, arrival),
  analyse: (app, arrival) => new AnalyseView(app, arrival),
  review: (app, arrival) => new ReviewView(app, arrival),
  library: (app, arrival) => new LibraryView(app, arrival),
  microscope: (app, arrival) => new MicroscopeView(app, arrival),
  network: (app, arrival) => new NetworkView(app, arrival),
  matches: (app) => new MatchesView(app),
  doctor: (app) => new DoctorView(app),
};

const SPEAKER = 'M4 9.5v5h3.5L12 19V5L7.5 9.5z';
const GEAR =
  'M12 8.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 1 0 0-6.4M12 2.8v2.6M12 18.6v2.6M2.8 12h2.6M18.6 12h2.6M5.5 5.5l1.8 1.8M16.7 16.7l1.8 1.8M5.5 18.5l1.8-1.8M16.7 7.3l1.8-1.8M12 5.4a6.6 6.6 0 1 0 0 13.2 6.6 6.6 0 1 0 0-13.2';
const QUESTION = 'M9 9a3 3 0 1 1 4.2 2.75C12.4 12.2 12 12.8 12 14M12 17.3v.2M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18';
const SUN =
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4';
/** Their icons. */
const THEMES: Record<Settings['theme'], string> = {
  system: 'M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17',
  light: SUN,
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
};

/** The views of the navigation. */
const LISTED = ['play', 'analyse', 'review', 'library', 'microscope', 'network', 'matches', 'doctor'] as const;
/** Stored when a view was opened for the first time. */
const VISITED_KEY = 'vedette-visited';

const studio = new StudioClient();
const top = document.getElementById('top')!;
const main = document.getElementById('main')!;
let view: View | undefined;
let current: ViewName | undefined;
let arrival: Arrival = {};

const app: App = {
  studio,
  go(name, what = {}) {
    arrival = what;
    if (current === name) open(name);
    else location.hash = `#/${name}`;
  },
};

/** The view of the address; a position in it is brought along, and then left out of the address. */
function named(): ViewName {
  const [, name = '', fen] = /^#\/?([^/]*)(?:\/(.+))?$/.exec(location.hash) ?? [];
  if (!(name in VIEWS)) return stored(VISITED_KEY) ? 'play' : 'welcome';
  if (fen) {
    const text = decodeURIComponent(fen).replaceAll('_', ' ');
    if (isFen(text)) arrival = { ...arrival, text };
    history.replaceState(null, '', `#/${name}`);
  }
  return name as ViewName;
}

function open(name: ViewName): void {
  closeDialog();
  view?.close();
  current = name;
  if (name !== 'welcome') store(VISITED_KEY, 'yes');
  const what = arrival;
  arrival = {};
  view = VIEWS[name](app, what);
  main.replaceChildren(view.element);
  if (what.text) view.text?.(what.text);
  window.scrollTo(0, 0);
  document.title = `${t.app.views[name]} · Vedette`;
  for (const link of top.querySelectorAll('a')) {
    const here = link.getAttribute('href') === `#/${name}`;
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  showPlace();
}

/** Scrolls the navigation, and nothing else, so that the current view is visible. */
function showPlace(): void {
  const [nav, here] = [top.querySelector('nav'), top.querySelector<HTMLElement>('nav a[aria-current]')];
  if (nav) nav.scrollLeft = here ? here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2 : 0;
}

/** A sentence with the command that starts the studio between its parts. */
function withCommand(parts: string[]): Child[] {
  return parts.flatMap((part, at): Child[] => (at === 0 ? [part] : [h('code', {}, 'vedette studio'), part]));
}

function drawTop(): void {
  const iconSwitch = (act: () => void): HTMLButtonElement =>
    h('button', { type: 'button', class: 'icon-button', click: act });
  const show = (button: HTMLButtonElement, label: string, lines: string): void => {
    fill(button, icon(lines));
    button.setAttribute('aria-label', label);
    button.title = label;
  };
  const showTheme = (): void => show(theme, t.app.themes[settings.theme], THEMES[settings.theme]);
  const theme = iconSwitch(() => {
    const names = ['system', 'light', 'dark'] as const;
    set('theme', names[(names.indexOf(settings.theme) + 1) % 3]!);
    applyTheme();
    showTheme();
  });
  const sound = iconSwitch(() => {
    set('sound', !settings.sound);
    showSound();
  });
  const gear = iconSwitch(() =>
    openPreferences(
      () => open(current!),
      () => (showTheme(), showSound()),
    ),
  );
  const help = iconSwitch(openShortcuts);
  show(gear, t.preferences.title, GEAR);
  show(help, t.shortcuts.title, QUESTION);
  const showSound = (): void => {
    if (settings.sound) show(sound, t.app.soundOn, `${SPEAKER}M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11`);
    else show(sound, t.app.soundOff, `${SPEAKER}M16 9.5l5 5M21 9.5l-5 5`);
  };
  showTheme();
  showSound();
  const offline = h('span', { class: 'offline', role: 'status', hidden: true }, t.app.reconnecting);
  const refused = h('p', { class: 'refused', role: 'alert', hidden: true }, ...withCommand(t.app.refused));
  const ended = h('p', { class: 'refused ended', role: 'alert', hidden: true }, ...withCommand(t.app.ended));
  studio.on('closed', () => (offline.hidden = false));
  studio.on('ended', () => (ended.hidden = false));
  studio.on('refused', () => (refused.hidden = false));
  studio.on('open', () => {
    offline.hidden = refused.hidden = ended.hidden = true;
    reached();
  });
  fill(
    top,
    h(
      'a',
      { class: 'logo', href: '#/welcome', 'aria-label': 'Vedette', title: t.app.views.welcome },
      h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }),
      h('span', {}, 'Vedette'),
    ),
    h(
      'nav',
      { 'aria-label': t.app.navigation },
      ...LISTED.map((name) => h('a', { href: `#/${name}`, title: t.welcome.cards[name][1] }, t.app.views[name])),
    ),
    offline,
    h('div', { class: 'switches' }, sound, theme, help, gear),
  );
  main.before(refused, ended);
}

/** Whether keys belong to an input field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Whether undo belongs to a text field. */
function isWriting(target: EventTarget | null): boolean {
  return (
    isTyping(target) &&
    !(target instanceof HTMLElement && target.matches('select, [type=checkbox], [type=radio], [type=range]'))
  );
}

function isUndo(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);
}

window.addEventListener('hashchange', () => open(named()));
window.addEventListener('keydown', (event) => {
  if (isDialogOpen()) return;
  if (isUndo(event) && !isWriting(event.target) && view?.undo?.(event.shiftKey || event.key.toLowerCase() === 'y'))
    return event.preventDefault();
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter')) return;
  if (event.key === '?') openShortcuts();
  else if (view?.key?.(event)) event.preventDefault();
});
window.addEventListener('paste', (event) => {
  if (isTyping(event.target)) return;
  take(event.clipboardData?.getData('text/plain'));
});
window.addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files') || event.dataTransfer?.types.includes('text/plain'))
    event.preventDefault();
});
window.addEventListener('drop', async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  take(file ? await textOf(file) : event.dataTransfer?.getData('text/plain'));
});

/** Gives a game or position to the view, or else to the analysis board. */
function take(text: string | undefined): void {
  if (!text?.trim()) return;
  if (view?.text?.(text)) return;
  app.go('analyse', { text });
}

window.addEventListener('resize', showPlace);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
studio.on('warning', (text) => notice(text));
applyTheme();
document.documentElement.lang = language;
definePieces();
document.querySelector('.skip')!.textContent = t.app.skip;
drawTop();
open(named());
