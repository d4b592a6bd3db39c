// Welcome: what the studio is for, at the first visit and behind the logo.

import type { View } from '../app';
import { h, icon } from '../elements';
import { t } from '../strings';

type Card = keyof typeof t.welcome.cards;

/** Icons of the cards, in a box of 24 × 24. */
const ICONS: Record<Card, string> = {
  play: 'M9 20h6M8 20c0-4 2-5 2-9h4c0 4 2 5 2 9M12 4a2.6 2.6 0 1 0 0 5.2A2.6 2.6 0 1 0 12 4M9 11h6',
  analyse: 'M4 19h16M6 16V9M11 16V5M16 16v-5M21 16v-9',
  review: 'M5 12.5l4.5 4.5L20 6.5',
  library: 'M5 4v16M9 4v16M13 4l5 15.5',
  matches: 'M4 7h13l-3-3M20 17H7l3 3',
  doctor: 'M12 5v14M5 12h14M4 4h16v16H4z',
  microscope: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M15.5 15.5L21 21M7.5 10.5h6',
  network: 'M5 6h.01M5 12h.01M5 18h.01M19 9h.01M19 15h.01M6 6l12 3M6 6l12 9M6 12l12-3M6 12l12 3M6 18l12-9M6 18l12-3',
};
const PLAYERS: Card[] = ['play', 'analyse', 'review', 'library'];
const AUTHORS: Card[] = ['matches', 'doctor', 'microscope', 'network'];

export class WelcomeView implements View {
  readonly element = h(
    'div',
    { class: 'page welcome' },
    h('h1', {}, t.welcome.title),
    h('p', { class: 'soft' }, t.welcome.intro),
    group(t.welcome.players, PLAYERS),
    group(t.welcome.authors, AUTHORS),
    h('p', { class: 'soft small' }, t.welcome.hint),
  );

  close(): void {}
}

function group(title: string, cards: Card[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), h('div', { class: 'tiles' }, ...cards.map(tile)));
}

function tile(name: Card): HTMLElement {
  const [verb, what] = t.welcome.cards[name];
  return h(
    'a',
    { class: 'tile', href: `#/${name}` },
    icon(ICONS[name]),
    h('strong', {}, verb),
    h('span', { class: 'soft' }, what),
  );
}
