// The form for a match: engines, limits, openings and adjudication. It remembers what it is filled in with.

import { addEngines, areValid, button, choice, field, iconButton, select, toggle } from '../controls';
import { fill, h, type Attributes } from '../elements';
import { pairing } from '../games';
import type { Hello, ImportedFile, MatchEngine, MatchOpenings, MatchStart } from '../protocol';
import { remember, remembered } from '../settings';
import { t } from '../strings';

const MAX_ENTRANTS = 8;
/** Pairs of a test: it ends before them. */
const MANY_PAIRS = 10_000;
/** The option of an imported file starts with this. */
const IMPORTED = 'imported-';

/** What the form holds; engines as in its lists. */
interface MatchForm {
  engines: string[];
  /** UCI options of each, such as `Hash=64; Ponder=false`. */
  options: string[];
  gauntlet: boolean;
  limit: 'nodes' | 'clock';
  nodes: number;
  clock: string;
  pairs: number;
  concurrency: number;
  stop: 'length' | 'sprt';
  elo0: number;
  elo1: number;
  /** `built-in`, `standard`, `chess960`, or an imported file. */
  openings: string;
  plies: number;
  draws: boolean;
  drawFrom: number;
  drawMoves: number;
  /** In pawns, as below. */
  drawScore: number;
  resigns: boolean;
  resignMoves: number;
  resignScore: number;
  maxMoves: number;
}

type NumberName = {
  [K in keyof MatchForm]: MatchForm[K] extends number ? K : never;
}[keyof MatchForm];

const FORM: MatchForm = {
  // A high level differs from full strength by its node limit alone, which a match sets for both.
  engines: ['own', 'classical'],
  options: [],
  gauntlet: false,
  limit: 'nodes',
  nodes: 5000,
  clock: '5+0.05',
  pairs: 10,
  concurrency: 1,
  stop: 'length',
  elo0: 0,
  elo1: 10,
  openings: 'built-in',
  plies: 8,
  draws: true,
  drawFrom: 40,
  drawMoves: 8,
  drawScore: 0.1,
  resigns: true,
  resignMoves: 3,
  resignScore: 6,
  maxMoves: 300,
};

/** What is done with a filled-in form. */
interface MatchActions {
  start: (order: MatchStart) => void;
  copyCommand: (order: MatchStart) => void;
}

/** Fills the element with the form. */
export function drawMatchForm(into: HTMLElement, hello: Hello, files: ImportedFile[], actions: MatchActions): void {
  new Form(into, hello, files, actions).draw();
}

class Form {
  private readonly form = remembered('match', FORM);
  private readonly offered: [string, string][];
  private detailsOpen: boolean;

  constructor(
    private into: HTMLElement,
    private hello: Hello,
    private files: ImportedFile[],
    private actions: MatchActions,
  ) {
    this.offered = enginesOf(hello);
    const { form } = this;
    const isOffered = (value: string | undefined): boolean => this.offered.some(([option]) => option === value);
    // An engine may be gone.
    form.engines = form.engines.map((engine, at) => (isOffered(engine) ? engine : FORM.engines[Math.min(at, 1)]!));
    while (form.engines.length < 2) form.engines.push(FORM.engines[1]!);
    if (form.openings.startsWith(IMPORTED) && !files.some(({ id }) => id === form.openings.slice(IMPORTED.length)))
      form.openings = FORM.openings;
    const names = ['openings', 'draws', 'drawFrom', 'drawMoves', 'drawScore', 'resigns', 'maxMoves'] as const;
    this.detailsOpen = form.options.some(Boolean) || names.some((name) => form[name] !== FORM[name]);
  }

  private keep<K extends keyof MatchForm>(name: K, value: MatchForm[K]): void {
    this.form[name] = value;
    remember('match', this.form);
  }

  draw(): void {
    const { form, hello } = this;
    const order = (act: (order: MatchStart) => void) => (): void => {
      if (areValid([this.into])) act(orderOf(form));
    };
    fill(
      this.into,
      h('summary', {}, t.matches.new),
      ...this.entrants(),
      this.limits(),
      ...(form.engines.length > 2 ? [this.tournament()] : this.ending()),
      this.details(),
      h(
        'div',
        { class: 'actions' },
        button(t.matches.start, order(this.actions.start), { class: 'primary' }),
        button(t.matches.copyCommand, order(this.actions.copyCommand)),
      ),
      ...(hello.engines.length ? [] : [addEngines()]),
    );
  }

  private number(name: NumberName, attributes: Attributes): HTMLInputElement {
    const input = h('input', {
      type: 'number',
      value: this.form[name],
      required: true,
      change: () => this.keep(name, Number(input.value)),
      ...attributes,
    });
    return input;
  }

  private entrants(): HTMLElement[] {
    const { engines } = this.form;
    const change = (next: string[], options = this.form.options): void => {
      this.keep('engines', next);
      this.keep('options', options);
      this.draw();
    };
    const without = <T>(list: T[], at: number): T[] => list.filter((_, place) => place !== at);
    const lists = engines.map((engine, at) => {
      const list = select(this.offered, engine, (value) => this.keep('engines', this.form.engines.with(at, value)));
      const label = t.matches.entrant(at + 1);
      if (engines.length === 2) return field(label, list);
      const remove = (): void => change(without(engines, at), without(this.form.options, at));
      const cross = iconButton('cross', t.controls.removeOf(label), remove);
      list.id = `entrant-${at}`;
      return h(
        'div',
        { class: 'field' },
        h('label', { for: list.id }, label),
        h('div', { class: 'joined' }, list, cross),
      );
    });
    const add = button(t.matches.addEngine, () => change([...engines, 'classical']), {
      disabled: engines.length >= MAX_ENTRANTS,
    });
    return [h('div', { class: 'pair broad' }, ...lists), h('div', { class: 'actions' }, add)];
  }

  private limits(): HTMLElement {
    const { form, hello } = this;
    const clock = h('input', {
      type: 'text',
      value: form.clock,
      spellcheck: 'false',
      change: () => this.keep('clock', clock.value),
    });
    const nodesField = field(t.matches.nodesPerMove, this.number('nodes', { min: 1 }), {
      hidden: form.limit !== 'nodes',
    });
    const clockField = field(t.matches.timeControl, clock, { hidden: form.limit !== 'clock' });
    return h(
      'div',
      { class: 'pair' },
      choice(
        t.matches.limit,
        [
          ['nodes', t.matches.byNodes],
          ['clock', t.matches.byTime],
        ],
        form.limit,
        (value) => {
          this.keep('limit', value);
          nodesField.hidden = value !== 'nodes';
          clockField.hidden = value !== 'clock';
        },
      ),
      nodesField,
      clockField,
      field(t.matches.pairs, this.number('pairs', { min: 1, max: 100_000, id: 'match-pairs' })),
      field(t.matches.concurrency, this.number('concurrency', { min: 1, max: hello.threads })),
    );
  }

  /** Who meets whom. */
  private tournament(): HTMLElement {
    return choice(
      t.matches.tournament,
      [
        ['all', t.matches.roundRobin],
        ['gauntlet', t.matches.gauntlet],
      ],
      this.form.gauntlet ? 'gauntlet' : 'all',
      (value) => this.keep('gauntlet', value === 'gauntlet'),
    );
  }

  private ending(): HTMLElement[] {
    const { form } = this;
    const bounds = h(
      'div',
      { class: 'pair', hidden: form.stop !== 'sprt' },
      field('H0 (Elo)', this.number('elo0', { step: 'any' })),
      field('H1 (Elo)', this.number('elo1', { step: 'any' })),
    );
    const stop = choice(
      t.matches.stopAfter,
      [
        ['length', t.matches.fixed],
        ['sprt', 'SPRT'],
      ],
      form.stop,
      (value) => {
        this.keep('stop', value);
        bounds.hidden = value !== 'sprt';
        if (value !== 'sprt' || form.pairs >= 1000) return;
        this.keep('pairs', MANY_PAIRS);
        this.into.querySelector<HTMLInputElement>('#match-pairs')!.value = String(MANY_PAIRS);
      },
    );
    return [stop, bounds];
  }

  private details(): HTMLElement {
    const { form } = this;
    const options = form.engines.map((_, at) => {
      const input = h('input', {
        type: 'text',
        class: 'mono',
        value: form.options[at] ?? '',
        placeholder: 'Hash=64; Threads=1',
        spellcheck: 'false',
        autocomplete: 'off',
        change: () => {
          const all = form.engines.map((_, place) => form.options[place] ?? '');
          this.keep('options', all.with(at, input.value));
        },
      });
      return field(t.matches.optionsOf(at + 1), input);
    });
    const details = h(
      'details',
      { open: this.detailsOpen, toggle: () => (this.detailsOpen = details.open) },
      h('summary', {}, t.matches.options),
      h('div', { class: 'pair broad' }, ...options),
      this.openings(),
      ...this.adjudication(),
    );
    return details;
  }

  private openings(): HTMLElement {
    const { form } = this;
    const names: [string, string][] = [
      ['built-in', t.matches.openings.builtIn],
      ['standard', t.matches.openings.standard],
      ['chess960', 'Chess960'],
      ...this.files.map(({ id, games, white, black }): [string, string] => [
        IMPORTED + id,
        `${pairing(white, black)}${games > 1 ? t.review.andMore(games - 1) : ''}`,
      ]),
    ];
    const plies = field(t.matches.plies, this.number('plies', { min: 0, max: 200 }), {
      hidden: !form.openings.startsWith(IMPORTED),
    });
    return h(
      'div',
      { class: 'pair broad' },
      field(
        t.matches.openings.label,
        select(names, form.openings, (value) => {
          this.keep('openings', value);
          plies.hidden = !value.startsWith(IMPORTED);
        }),
      ),
      plies,
    );
  }

  private adjudication(): HTMLElement[] {
    const { form } = this;
    const moves = { min: 1, max: 1000 };
    const score = { min: 0, max: 1000, step: 0.01 };
    const draw = h(
      'div',
      { class: 'pair rule', hidden: !form.draws },
      field(t.matches.fromMove, this.number('drawFrom', moves)),
      field(t.matches.forMoves, this.number('drawMoves', moves)),
      field(t.matches.within, this.number('drawScore', score)),
    );
    const resign = h(
      'div',
      { class: 'pair rule', hidden: !form.resigns },
      field(t.matches.forMoves, this.number('resignMoves', moves)),
      field(t.matches.beyond, this.number('resignScore', score)),
    );
    const switched = (name: 'draws' | 'resigns', label: string, rule: HTMLElement): HTMLElement =>
      h(
        'div',
        {},
        toggle(label, form[name], (on) => {
          this.keep(name, on);
          rule.hidden = !on;
        }),
      );
    return [
      switched('draws', t.matches.adjudicateDraws, draw),
      draw,
      switched('resigns', t.matches.adjudicateLosses, resign),
      resign,
      h('div', { class: 'pair rule' }, field(t.matches.maxMoves, this.number('maxMoves', moves))),
    ];
  }
}

/** What the lists of engines offer. */
function enginesOf(hello: Hello): [string, string][] {
  const [least, most] = hello.elo;
  const offered: [string, string][] = [
    ['own', t.matches.own],
    ['classical', t.matches.classical],
  ];
  for (let elo = least; elo <= most; elo += 200) offered.push([`elo-${elo}`, t.matches.level(elo)]);
  return [...offered, ...hello.engines.map((name): [string, string] => [`external-${name}`, name])];
}

function orderOf(form: MatchForm): MatchStart {
  const centipawns = (pawns: number): number => Math.round(100 * pawns);
  const two = form.engines.length === 2;
  return {
    engines: form.engines.map((engine, at) => ({
      engine: engineOf(engine),
      options: optionsOf(form.options[at] ?? ''),
    })),
    gauntlet: !two && form.gauntlet,
    pairs: form.pairs,
    concurrency: form.concurrency,
    nodes: form.limit === 'nodes' ? form.nodes : null,
    clock: form.limit === 'clock' ? form.clock : null,
    sprt: two && form.stop === 'sprt' ? [form.elo0, form.elo1] : null,
    openings: openingsOf(form),
    draw: form.draws ? { from_move: form.drawFrom, moves: form.drawMoves, score: centipawns(form.drawScore) } : null,
    resign: form.resigns ? { moves: form.resignMoves, score: centipawns(form.resignScore) } : null,
    max_moves: form.maxMoves,
  };
}

function openingsOf({ openings, plies }: MatchForm): MatchOpenings {
  if (openings.startsWith(IMPORTED)) return { imported: { id: openings.slice(IMPORTED.length), plies } };
  return openings as 'built-in' | 'standard' | 'chess960';
}

/** The engine that an option of the lists stands for. */
function engineOf(option: string): MatchEngine {
  if (option.startsWith('external-')) return { external: option.slice(9) };
  if (option.startsWith('elo-')) return { vedette: { elo: Number(option.slice(4)), classical: false } };
  return { vedette: { elo: null, classical: option === 'classical' } };
}

/** UCI options as they are typed: `Hash=64; Ponder=false`. */
function optionsOf(text: string): [string, string][] {
  const parts = text.split(/[;\n]/).map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [name, ...value] = part.split('=');
    return [name!.trim(), value.join('=').trim()];
  });
}
