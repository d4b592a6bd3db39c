// The page: its head, the way between views, keys, pasting and dropping.

import type { App, Arrival, View, ViewName } from './app';
import { fill, h, notice, sign } from './dom';
import { applyTheme, set, settings } from './settings';
import { Line } from './socket';
import { AnalyseView } from './views/analyse';
import { DoctorView } from './views/doctor';
import { MatchesView } from './views/matches';
import { MicroscopeView } from './views/microscope';
import { NetworkView } from './views/network';
import { PlayView } from './views/play';
import { ReviewView } from './views/review';

const VIEWS: Record<ViewName, [string, (app: App, arrival: Arrival) => View]> = {
  play: ['Play', (app, arrival) => new PlayView(app, arrival)],
  analyse: ['Analyse', (app, arrival) => new AnalyseView(app, arrival)],
  review: ['Review', (app, arrival) => new ReviewView(app, arrival)],
  microscope: ['Microscope', (app, arrival) => new MicroscopeView(app, arrival)],
  network: ['Network', (app, arrival) => new NetworkView(app, arrival)],
  matches: ['Matches', (app) => new MatchesView(app)],
  doctor: ['Doctor', (app) => new DoctorView(app)],
};

const THEMES = { system: ['◐', 'Theme: as the system'], light: ['☀', 'Theme: light'], dark: ['☾', 'Theme: dark'] } as const;

const line = new Line();
const top = document.getElementById('top')!;
const main = document.getElementById('main')!;
let view: View | undefined;
let current: ViewName | undefined;
let arrival: Arrival = {};

const app: App = {
  line,
  go(name, what = {}) {
    arrival = what;
    if (current === name) open(name);
    else location.hash = `#/${name}`;
  },
};

function named(): ViewName {
  const name = location.hash.replace(/^#\/?/, '');
  return name in VIEWS ? (name as ViewName) : 'play';
}

function open(name: ViewName): void {
  view?.close();
  current = name;
  const what = arrival;
  arrival = {};
  view = VIEWS[name][1](app, what);
  main.replaceChildren(view.element);
  window.scrollTo(0, 0);
  document.title = `${VIEWS[name][0]} · Vedette`;
  for (const link of top.querySelectorAll('nav a')) {
    const here = link.getAttribute('href') === `#/${name}`;
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (here) link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

function drawTop(): void {
  const theme = sign(THEMES[settings.theme][0], THEMES[settings.theme][1], () => {
    const names = ['system', 'light', 'dark'] as const;
    set('theme', names[(names.indexOf(settings.theme) + 1) % 3]!);
    applyTheme();
    const [symbol, label] = THEMES[settings.theme];
    fill(theme, h('span', { 'aria-hidden': 'true' }, symbol));
    theme.setAttribute('aria-label', label);
    theme.title = label;
  });
  const sound = sign('♪', '', () => {
    set('sound', !settings.sound);
    showSound();
  });
  const showSound = (): void => {
    const label = settings.sound ? 'Sounds: on' : 'Sounds: off';
    sound.classList.toggle('off', !settings.sound);
    sound.setAttribute('aria-label', label);
    sound.title = label;
  };
  showSound();
  const offline = h('span', { class: 'offline', role: 'status', hidden: true }, 'reconnecting …');
  line.on('closed', () => (offline.hidden = false));
  line.on('open', () => (offline.hidden = true));
  fill(
    top,
    h('a', { class: 'logo', href: '#/play', 'aria-label': 'Vedette' }, h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), h('span', {}, 'Vedette')),
    h('nav', { 'aria-label': 'Views' }, ...(Object.keys(VIEWS) as ViewName[]).map((name) => h('a', { href: `#/${name}` }, VIEWS[name][0]))),
    offline,
    h('div', { class: 'switches' }, sound, theme),
  );
}

/** Whether keys belong to a field that is being typed into. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

window.addEventListener('hashchange', () => open(named()));
window.addEventListener('keydown', (event) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter')) return;
  if (view?.key?.(event)) event.preventDefault();
});
window.addEventListener('paste', (event) => {
  if (isTyping(event.target)) return;
  take(event.clipboardData?.getData('text/plain'));
});
window.addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files') || event.dataTransfer?.types.includes('text/plain')) event.preventDefault();
});
window.addEventListener('drop', async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file && file.size > 8_000_000) return notice('the file is too large; vedette analyse takes it');
  take(file ? await file.text() : event.dataTransfer?.getData('text/plain'));
});

/** Gives a game or position to the view, or else to the analysis board. */
function take(text: string | undefined): void {
  if (!text?.trim()) return;
  if (view?.text?.(text)) return;
  app.go('analyse');
  setTimeout(() => view?.text?.(text), 50);
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
line.on('warning', ({ text }) => notice(text));
applyTheme();
drawTop();
open(named());
