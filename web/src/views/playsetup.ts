// The form for a new game, and the list of earlier games.

import type { App } from '../app';
import { miniature } from '../board';
import { areValid, button, choice, field, removeButton, select, toggle } from '../controls';
import { today } from '../dates';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { pairing } from '../games';
import { gameRow, libraryTree } from '../librarylist';
import type { GameState, Hello, LibraryGame, NewGame, Side } from '../protocol';
import { position } from '../rules';
import { set, settings } from '../settings';
import { t } from '../strings';
import { continueButton } from './library';

/** The names of levels, each from an Elo on. */
const LEVELS = Object.entries(t.setup.levels).map(([from, name]): [number, string] => [Number(from), name]);

/** Common time controls: minutes and increment in seconds. */
const CLOCKS: [number, number][] = [
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 20],
];

interface Setup {
  /** The start position, if not the standard one. */
  from: string | undefined;
  /** Uses the standard position. */
  forget: () => void;
  start: (game: NewGame) => void;
  /** Another side was chosen. */
  turned: () => void;
  /** Another opponent was chosen. */
  opponent: () => void;
  /** The current game, and the way back to it. */
  game: GameState | undefined;
  back: () => void;
}

/** The number of a start position of Chess960. */
export function randomStart(): number {
  return Math.floor(Math.random() * 960);
}

/** The engine of the next game, if it is there. */
export function opponentOf(app: App): string {
  const offered = app.studio.hello?.engines ?? [];
  return offered.includes(settings.opponent) ? settings.opponent : 'Vedette';
}

function opponents(app: App, { engines }: Hello, changed: () => void): HTMLElement {
  const chosen = opponentOf(app);
  const options = [['', 'Vedette'], ...engines.map((name) => [name, name])] as [string, string][];
  return field(
    t.setup.opponent,
    select(options, chosen === 'Vedette' ? '' : chosen, (value) => {
      set('opponent', value);
      changed();
    }),
  );
}

/** The parts of the form. */
export function playSetup(app: App, hello: Hello, setup: Setup): HTMLElement[] {
  const [least, most] = hello.elo;
  const elo = (): number => Math.min(most, Math.max(least, settings.elo));
  const number = h('input', {
    type: 'number',
    min: 0,
    max: 959,
    placeholder: t.setup.random,
    hidden: true,
    'aria-label': t.setup.startNumber,
  });
  let chess960 = false;
  const start = (): void => {
    if (!areValid(parts)) return;
    const typed = number.value === '' ? randomStart() : Number(number.value);
    setup.start({
      side: settings.side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : settings.side,
      elo: settings.full ? null : elo(),
      opponent: opponentOf(app) === 'Vedette' ? null : settings.opponent,
      clock: settings.timed ? { seconds: settings.minutes * 60, increment: settings.increment } : null,
      chess960: chess960 && !setup.from ? typed : null,
      fen: setup.from ?? null,
      date: today(),
    });
  };
  const games = h('div', { class: 'history' });
  void listGames(app, games);
  const parts = [
    h('h1', {}, t.play.title(opponentOf(app))),
    ...(setup.game && !setup.game.ending ? [inProgress(setup.game, setup.back)] : []),
    ...(hello.engines.length ? [opponents(app, hello, setup.opponent)] : []),
    ...(opponentOf(app) === 'Vedette' ? strength(least, most, elo) : []),
    ...(setup.from === undefined ? [] : [fromCard(setup.from, setup.forget)]),
    choice(
      t.setup.yourSide,
      [
        ['white', t.sides.white],
        ['random', t.setup.randomSide],
        ['black', t.sides.black],
      ],
      settings.side,
      (side) => {
        set('side', side);
        setup.turned();
      },
    ),
    ...clock(),
    ...(setup.from === undefined
      ? [
          h(
            'div',
            { class: 'inline' },
            toggle('Chess960', false, (on) => {
              chess960 = on;
              number.hidden = !on;
            }),
            number,
          ),
        ]
      : []),
    h(
      'div',
      { class: 'actions' },
      button(t.setup.start, start, { class: 'primary' }),
      setup.game?.ending && button(t.setup.back, setup.back),
    ),
    games,
  ];
  return parts;
}

/** The game that goes on while the form is open, with the clock that runs. */
function inProgress(game: GameState, back: () => void): HTMLElement {
  const turn = game.moves.length % 2 === 0 ? position(game.start).turn : opposite(position(game.start).turn);
  const words = turn === game.side ? t.play.yourTurn : t.setup.engineThinks(game.opponent ?? 'Vedette');
  return h(
    'div',
    { class: 'in-progress' },
    h('p', {}, h('strong', {}, t.setup.inProgress), ` · ${words}`),
    game.clock && h('span', { class: 'clock running', 'data-side': turn }),
    button(t.setup.back, back),
  );
}

function opposite(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

function strength(least: number, most: number, elo: () => number): HTMLElement[] {
  const output = h('output', { class: 'level', for: 'level' });
  const level = h('input', {
    id: 'level',
    type: 'range',
    min: least,
    max: most,
    step: 50,
    value: elo(),
    disabled: settings.full,
    input: () => {
      set('elo', Number(level.value));
      name();
    },
  });
  const name = (): void => {
    const words = [...LEVELS].reverse().find(([from]) => elo() >= from)?.[1] ?? LEVELS[0]![1];
    output.textContent = settings.full ? t.play.fullStrength : `${elo()} · ${words}`;
    level.setAttribute('aria-valuetext', output.textContent);
  };
  name();
  return [
    h(
      'div',
      { class: 'field' },
      h('div', { class: 'between' }, h('label', { for: 'level' }, t.setup.strength), output),
      level,
    ),
    toggle(t.setup.fullStrength, settings.full, (on) => {
      set('full', on);
      level.disabled = on;
      name();
    }),
  ];
}

function clock(): HTMLElement[] {
  const minutes = h('input', {
    type: 'number',
    min: 1,
    max: 180,
    value: settings.minutes,
    input: () => set('minutes', Number(minutes.value) || 10),
  });
  const increment = h('input', {
    type: 'number',
    min: 0,
    max: 60,
    value: settings.increment,
    input: () => set('increment', Number(increment.value) || 0),
  });
  const usual = CLOCKS.map(([time, more]) =>
    button(
      `${time}+${more}`,
      () => {
        set('minutes', time);
        set('increment', more);
        minutes.value = String(time);
        increment.value = String(more);
      },
      { class: 'chip' },
    ),
  );
  const times = h(
    'div',
    { class: 'times', hidden: !settings.timed },
    h('div', { class: 'pair' }, field(t.setup.minutes, minutes), field(t.setup.increment, increment)),
    h('div', { class: 'chips', role: 'group', 'aria-label': t.setup.commonClocks }, ...usual),
  );
  return [
    choice(
      t.setup.timeControl,
      [
        ['no', t.setup.unlimited],
        ['yes', t.setup.clock],
      ],
      settings.timed ? 'yes' : 'no',
      (timed) => {
        set('timed', timed === 'yes');
        times.hidden = timed === 'no';
      },
    ),
    times,
  ];
}

function fromCard(fen: string, forget: () => void): HTMLElement {
  const at = position(fen);
  return h(
    'div',
    { class: 'from' },
    miniature(at, undefined, 'white'),
    h('div', {}, h('p', {}, t.setup.from(at.turn)), button(t.setup.standard, forget)),
  );
}

async function listGames(app: App, into: HTMLElement): Promise<void> {
  const search = { text: '', source: 'played', skip: 0 } as const;
  const page = await app.studio.ask({ library: { search } }, 'library').catch(() => undefined);
  if (!page?.games.length) return fill(into);
  const open = async (game: LibraryGame): Promise<void> => {
    try {
      app.go('analyse', { tree: await libraryTree(app, game) });
    } catch (error) {
      showError(error);
    }
  };
  const remove =
    ({ source, id }: LibraryGame) =>
    async (): Promise<void> => {
      await app.studio.ask({ library: { remove: { source, id } } }, 'done').catch(showError);
      void listGames(app, into);
    };
  fill(
    into,
    h('h2', {}, t.setup.yourGames),
    h(
      'ul',
      { class: 'list' },
      ...page.games.slice(0, 50).map((game) =>
        h(
          'li',
          {},
          gameRow(game, () => void open(game)),
          game.unfinished && continueButton(app, game),
          removeButton(t.setup.removed(pairing(game.white, game.black)), remove(game)),
        ),
      ),
    ),
  );
}
