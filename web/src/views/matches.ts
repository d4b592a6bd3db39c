// Matches: engine matches, live, with the Elo or LLR curve and games to replay.

import type { App, View } from '../app';
import { addEngines, areValid, button, choice, field, removeButton, select } from '../controls';
import { createdAt } from '../dates';
import { fill, h, type Attributes } from '../elements';
import { showError } from '../errors';
import { Graph } from '../graph';
import type { Hello, MatchEngine, MatchRequest, MatchState, MatchSummary } from '../protocol';
import { remember, remembered } from '../settings';
import { decimal, t } from '../strings';
import { Tree } from '../tree';

/** The smallest range of the graph. */
const LEAST_ELO = 40;

/** What the form holds; engines as in its lists. */
interface MatchForm {
  first: string;
  second: string;
  limit: 'nodes' | 'clock';
  nodes: number;
  clock: string;
  pairs: number;
  concurrency: number;
  stop: 'length' | 'sprt';
  elo0: number;
  elo1: number;
}

const FORM: MatchForm = {
  // A high level differs from full strength by its node limit alone, which a match sets for both.
  first: 'own',
  second: 'classical',
  limit: 'nodes',
  nodes: 5000,
  clock: '5+0.05',
  pairs: 10,
  concurrency: 1,
  stop: 'length',
  elo0: 0,
  elo1: 10,
};

/** How many games of a match are listed. */
const SHOWN_GAMES = 100;

export class MatchesView implements View {
  readonly element = h('div', { class: 'page' });
  private shown: MatchState | undefined;
  /** The match in progress. */
  private running: MatchState | undefined;
  private now = h('div', {});
  private graph: Graph | undefined;
  private live = h('section', { 'aria-label': t.matches.label });
  private list = h('div', {});
  private stopListening: (() => void)[];
  private drawn: { id: string; test: boolean } | undefined;
  private parts: { head: HTMLElement; rows: HTMLElement } | undefined;
  /** Whether the next match that starts is shown. */
  private following = true;
  private form = h('details', { class: 'card', open: true });

  constructor(private app: App) {
    fill(this.form, h('summary', {}, t.matches.new), h('p', { class: 'empty' }, t.common.connecting));
    fill(this.element, h('h1', {}, t.app.views.matches), this.form, this.now, this.live, this.list);
    this.stopListening = [
      app.studio.whenOpen((hello) => {
        this.draw(hello);
        this.running = hello.match && !hello.match.over ? hello.match : undefined;
        if (hello.match) this.show(hello.match);
        else if (this.shown && !this.shown.over) this.clear();
        this.drawNow();
        void this.refresh();
      }),
      app.studio.on('match', (match) => {
        const isNew = this.running?.id !== match.id;
        this.running = match.over ? undefined : match;
        if (this.following || this.shown?.id === match.id) this.show(match);
        this.drawNow();
        if (match.over || isNew) void this.refresh();
      }),
    ];
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.graph?.destroy();
  }

  private draw(hello: Hello): void {
    const [least, most] = hello.elo;
    const levels: [string, string][] = [
      ['own', t.matches.own],
      ['classical', t.matches.classical],
    ];
    for (let elo = least; elo <= most; elo += 200) levels.push([`elo-${elo}`, t.matches.level(elo)]);
    const engines: [string, string][] = [
      ...levels,
      ...hello.engines.map((name): [string, string] => [`external-${name}`, name]),
    ];
    const known = (value: string, other: string): string =>
      engines.some(([option]) => option === value) ? value : other;
    const form = remembered('match', FORM);
    form.first = known(form.first, FORM.first);
    form.second = known(form.second, FORM.second);
    const number = (name: 'nodes' | 'pairs' | 'elo0' | 'elo1' | 'concurrency', attributes: Attributes): HTMLElement => {
      const input = h('input', {
        type: 'number',
        value: form[name],
        change: () => keep(name, Number(input.value)),
        ...attributes,
      });
      return input;
    };
    const keep = <K extends keyof MatchForm>(name: K, value: MatchForm[K]): void => {
      form[name] = value;
      remember('match', form);
    };
    const clock = h('input', {
      type: 'text',
      value: form.clock,
      spellcheck: 'false',
      change: () => keep('clock', clock.value),
    });
    const pairs = number('pairs', { min: 1, max: 100000 }) as HTMLInputElement;
    const nodesField = field(t.matches.nodesPerMove, number('nodes', { min: 1 }), { hidden: form.limit !== 'nodes' });
    const clockField = field(t.matches.timeControl, clock, { hidden: form.limit !== 'clock' });
    const bounds = h(
      'div',
      { class: 'pair', hidden: form.stop !== 'sprt' },
      field('H0 (Elo)', number('elo0', { step: 'any' })),
      field('H1 (Elo)', number('elo1', { step: 'any' })),
    );
    fill(
      this.form,
      h('summary', {}, t.matches.new),
      h(
        'div',
        { class: 'pair broad' },
        field(
          t.matches.first,
          select(engines, form.first, (value) => keep('first', value)),
        ),
        field(
          t.matches.second,
          select(engines, form.second, (value) => keep('second', value)),
        ),
      ),
      h(
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
            keep('limit', value);
            nodesField.hidden = value !== 'nodes';
            clockField.hidden = value !== 'clock';
          },
        ),
        nodesField,
        clockField,
        field(t.matches.pairs, pairs),
        field(t.matches.concurrency, number('concurrency', { min: 1, max: hello.threads })),
      ),
      choice(
        t.matches.stopAfter,
        [
          ['length', t.matches.fixed],
          ['sprt', 'SPRT'],
        ],
        form.stop,
        (value) => {
          keep('stop', value);
          bounds.hidden = value !== 'sprt';
          if (value !== 'sprt' || form.pairs >= 1000) return;
          keep('pairs', 10000);
          pairs.value = '10000';
        },
      ),
      bounds,
      button(
        t.matches.start,
        () =>
          areValid([this.form]) &&
          void this.begin({
            start: {
              engines: [engineOf(form.first), engineOf(form.second)],
              pairs: form.pairs,
              concurrency: form.concurrency,
              nodes: form.limit === 'nodes' ? form.nodes : null,
              clock: form.limit === 'clock' ? form.clock : null,
              sprt: form.stop === 'sprt' ? [form.elo0, form.elo1] : null,
            },
          }),
        { class: 'primary' },
      ),
      !hello.engines.length && addEngines(),
    );
  }

  /** Links to the match in progress while another one is shown. */
  private drawNow(): void {
    const { running } = this;
    const elsewhere = running && this.shown?.id !== running.id;
    if (!elsewhere) return fill(this.now);
    fill(
      this.now,
      h(
        'div',
        { class: 'inline' },
        h('p', {}, t.matches.now(namesOf(running), running.report.games, running.report.games_planned)),
        button(t.matches.follow, () => {
          this.following = true;
          this.show(running);
          this.drawNow();
        }),
      ),
    );
  }

  private async refresh(): Promise<void> {
    const all = await this.app.studio.ask({ match: 'list' }, 'matches').catch(() => []);
    if (!all.length) return fill(this.list, h('p', { class: 'empty' }, t.matches.none));
    // The match in progress is shown live above.
    const matches = all.filter((match) => match.over !== null);
    if (!matches.length) return fill(this.list);
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.studio.ask({ match: { remove: { id } } }, 'done').catch(showError);
      void this.refresh();
    };
    fill(
      this.list,
      h('h2', {}, t.matches.earlier),
      h(
        'ul',
        { class: 'list' },
        ...matches.map((match) => {
          const { wins, draws, losses } = match.report.encounters[0].games;
          return h(
            'li',
            {},
            h(
              'button',
              { type: 'button', class: 'wide', click: () => void this.open(match.id) },
              h('span', {}, namesOf(match)),
              h(
                'span',
                { class: 'soft' },
                `+${wins} =${draws} −${losses} · ${match.clock} · ${match.over} · ${createdAt(match.id)}`,
              ),
            ),
            match.resumable && this.resumeButton(match),
            removeButton(t.matches.removed(namesOf(match)), remove(match.id)),
          );
        }),
      ),
    );
  }

  /** Starts or resumes a match, and follows it. */
  private async begin(request: MatchRequest): Promise<void> {
    this.following = true;
    try {
      await this.app.studio.ask({ match: request }, 'started');
      this.form.open = false;
      await this.refresh();
    } catch (error) {
      showError(error);
    }
  }

  private resumeButton(match: MatchSummary): HTMLElement {
    return button(t.common.resume, () => void this.begin({ resume: { id: match.id } }), {
      'aria-label': t.matches.resumeOf(namesOf(match)),
    });
  }

  private async open(id: string): Promise<void> {
    try {
      const match = await this.app.studio.ask({ match: { open: { id } } }, 'match');
      this.following = !match.over;
      this.show(match);
      this.drawNow();
      this.live.scrollIntoView({ block: 'start' });
    } catch (error) {
      showError(error);
    }
  }

  private show(match: MatchState): void {
    this.shown = match;
    const test = match.report.sprt;
    if (this.drawn?.id !== match.id || this.drawn.test !== !!test) {
      this.drawn = { id: match.id, test: !!test };
      this.graph?.destroy();
      this.graph = new Graph({
        label: test ? t.matches.llrGraph : t.matches.eloGraph,
        height: 14,
        xName: t.matches.gamesAxis,
        yName: test ? 'LLR' : 'Elo',
        least: test ? 0 : LEAST_ELO,
        curves: test
          ? [
              { color: '--accent' },
              { color: '--warm', dash: [5, 5], width: 1 },
              { color: '--warm', dash: [5, 5], width: 1 },
            ]
          : [
              { color: '--accent' },
              { color: '--soft', dash: [4, 4], width: 1 },
              { color: '--soft', dash: [4, 4], width: 1 },
            ],
      });
      this.parts = {
        head: h('div', { class: 'match-head' }),
        rows: h('tbody', {}),
      };
      const { game, result, reason } = t.matches.columns;
      const columns = [game, t.sides.white, t.sides.black, result, reason].map((head) =>
        h('th', { scope: 'col', class: head === reason ? 'reason' : null }, head),
      );
      columns.push(h('th', { scope: 'col' }, h('span', { class: 'unseen' }, t.matches.replay)));
      const table = h('table', {}, h('thead', {}, h('tr', {}, ...columns)), this.parts.rows);
      const games = { class: 'scroll games', tabindex: 0, role: 'region', 'aria-label': t.matches.games };
      fill(this.live, h('div', { class: 'card' }, this.parts.head, this.graph.element, h('div', games, table)));
    }
    this.drawHead(match);
    const x = match.curve.map(([games]) => games);
    const bounded = (value: number | null): number | null =>
      value === null ? null : Math.max(-1200, Math.min(1200, value));
    const drawable = match.curve.filter(([, , elo]) => test || elo !== null).length > 1;
    this.graph!.element.hidden = !drawable;
    if (!drawable) {
      // One side has won every game, or nearly: there is no line to draw yet.
    } else if (test)
      this.graph!.show([x, match.curve.map(([, llr]) => llr), x.map(() => test.lower), x.map(() => test.upper)]);
    else
      this.graph!.show([
        x,
        match.curve.map(([, , elo]) => bounded(elo)),
        match.curve.map(([, , elo, error]) => bounded(elo === null || error === null ? null : elo - error)),
        match.curve.map(([, , elo, error]) => bounded(elo === null || error === null ? null : elo + error)),
      ]);
    this.drawGames(match);
  }

  /** The newest games first. Rows stay when others come, so that a button under the pointer does not go away. */
  private drawGames(match: MatchState): void {
    const { rows } = this.parts!;
    const last = rows.firstElementChild as HTMLElement | null;
    const known = last ? Number(last.dataset.game) : -1;
    const place = match.games.findIndex((game) => game.number === known);
    const games = match.games.slice(Math.max(place + 1, match.games.length - SHOWN_GAMES));
    rows.prepend(...games.reverse().map((game) => this.gameRow(match.id, game)));
    while (rows.childElementCount > SHOWN_GAMES) rows.lastElementChild!.remove();
  }

  private gameRow(match: string, game: MatchState['games'][number]): HTMLElement {
    return h(
      'tr',
      { 'data-game': game.number },
      h('td', {}, game.number + 1),
      h('td', {}, game.white),
      h('td', {}, game.black),
      h('td', {}, game.result),
      h('td', { class: 'reason' }, game.reason),
      h(
        'td',
        {},
        button(t.matches.replay, () => void this.replay(match, game.number), {
          'aria-label': t.matches.replayOf(game.number + 1),
        }),
      ),
    );
  }

  /** Shows no match: the one that was followed has ended while the page was disconnected. */
  private clear(): void {
    this.graph?.destroy();
    this.shown = this.graph = this.drawn = this.parts = undefined;
    fill(this.live);
  }

  private drawHead(match: MatchState): void {
    const encounter = match.report.encounters[0];

    const title = h('h2', {}, namesOf(match));
    const state = h(
      'div',
      { class: 'actions' },
      h('span', { class: 'soft' }, match.over ?? (match.preparing ? t.matches.starting : t.matches.playing)),
      match.over
        ? match.resumable && this.resumeButton(match)
        : button(t.common.stop, () => void this.app.studio.ask({ match: 'stop' }, 'done').catch(showError)),
    );
    const head = h('div', { class: 'between' }, title, state);
    const { wins, draws, losses } = encounter.games;
    const total = Math.max(1, wins + draws + losses);
    const estimate = encounter.estimate;
    const test = match.report.sprt;
    const bar = h(
      'div',
      { class: 'wdl', role: 'img', 'aria-label': t.matches.wdl(wins, draws, losses) },
      ...Object.entries({ win: wins, draw: draws, loss: losses }).map(([kind, number]) => {
        const part = h('span', { class: kind }, number ? String(number) : '');
        part.style.setProperty('--part', String((number / total) * 1000));
        return part;
      }),
    );
    fill(
      this.parts!.head,
      head,
      bar,
      h(
        'p',
        { class: 'numbers' },
        h('span', {}, t.matches.progress(match.report.games, match.report.games_planned)),
        estimate && h('span', {}, t.matches.score(decimal(estimate.score * 100, 1))),
        estimate?.elo != null &&
          h(
            'span',
            {},
            t.matches.elo(
              decimal(estimate.elo, 1),
              estimate.elo_error === null ? t.matches.identical : decimal(estimate.elo_error, 1),
            ),
          ),
        test &&
          h(
            'span',
            {},
            t.matches.llr(decimal(test.llr, 2), decimal(test.lower, 2), decimal(test.upper, 2), test.elo0, test.elo1),
          ),
        h('span', { class: 'soft' }, match.clock),
      ),
    );
  }

  private async replay(id: string, game: number): Promise<void> {
    try {
      const pgn = await this.app.studio.ask({ match: { game: { id, index: game } } }, 'pgn');
      this.app.go('analyse', { tree: Tree.fromPgn(pgn) });
    } catch (error) {
      showError(error);
    }
  }
}

function namesOf(match: MatchSummary): string {
  return match.report.engines.map(({ name }) => name).join(' – ');
}

/** The engine that an option of the lists stands for. */
function engineOf(option: string): MatchEngine {
  if (option.startsWith('external-')) return { external: option.slice(9) };
  if (option.startsWith('elo-')) return { vedette: { elo: Number(option.slice(4)), classical: false } };
  return { vedette: { elo: null, classical: option === 'classical' } };
}
