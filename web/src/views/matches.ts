// Matches: engine matches, live, with the Elo or LLR curve and games to replay.

import type { Key } from '@lichess-org/chessground/types';
import type { App, View } from '../app';
import { miniature } from '../board';
import { copy } from '../clipboard';
import { button } from '../controls';
import { createdAt } from '../dates';
import { fill, h, type Child } from '../elements';
import { showError } from '../errors';
import { download } from '../files';
import { Graph } from '../graph';
import { drawMatchForm } from './matchform';
import type {
  Encounter,
  GameCounts,
  Hello,
  LiveGame,
  LiveSide,
  MatchReport,
  MatchRequest,
  MatchStart,
  MatchState,
  MatchSummary,
  SprtState,
} from '../protocol';
import { position, scoreText } from '../rules';
import { fillSavedList } from '../savedlist';
import { decimal, t } from '../strings';
import { Tree } from '../tree';

/** The smallest range of the graph. */
const LEAST_ELO = 40;

/** How many boards are shown of a match with many games at once. */
const SHOWN_BOARDS = 6;

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
  private parts: { top: HTMLElement; head: HTMLElement; boards: HTMLElement; rows: HTMLElement } | undefined;
  /** Whether the next match that starts is shown. */
  private following = true;
  private form = h('details', { class: 'card', open: true });

  constructor(private app: App) {
    fill(this.form, h('summary', {}, t.matches.new), h('p', { class: 'empty' }, t.common.connecting));
    fill(this.element, h('h1', {}, t.app.views.matches), this.form, this.now, this.live, this.list);
    this.stopListening = [
      app.studio.whenOpen((hello) => {
        void this.draw(hello);
        this.running = hello.match && !hello.match.over ? hello.match : undefined;
        if (hello.match) this.show(hello.match);
        else if (this.shown && !this.shown.over) this.clear();
        this.drawNow();
        void this.refresh();
      }),
      app.studio.on('live-games', (games) => this.showBoards(games)),
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

  private async draw(hello: Hello): Promise<void> {
    const files = await this.app.studio.ask({ library: 'files' }, 'files').catch(() => []);
    drawMatchForm(this.form, hello, files, {
      start: (order) => void this.begin({ start: order }),
      copyCommand: (order) => void this.copyCommand(order),
    });
  }

  /** Links to the match in progress while another one is shown. */
  private drawNow(): void {
    const { running } = this;
    const elsewhere = running && this.shown?.id !== running.id;
    if (!elsewhere) return fill(this.now);
    const words = t.matches.now(namesOf(running), running.report.games, running.report.games_planned);
    const known = this.now.querySelector('p');
    // The button stays, so that it can be pressed.
    if (known) return void (known.textContent = words);
    const follow = (): void => {
      this.following = true;
      if (this.running) this.show(this.running);
      this.drawNow();
    };
    fill(this.now, h('div', { class: 'inline' }, h('p', {}, words), button(t.matches.follow, follow)));
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
    fillSavedList(
      this.list,
      t.matches.earlier,
      matches.map((match) => ({
        name: [namesOf(match)],
        details: [resultOf(match), match.clock, match.over, createdAt(match.id)].join(' · '),
        open: () => void this.open(match.id),
        buttons: [match.resumable && this.resumeButton(match)],
        removed: t.matches.removed(namesOf(match)),
        remove: remove(match.id),
      })),
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

  private async copyCommand(order: MatchStart): Promise<void> {
    try {
      await copy(await this.app.studio.ask({ match: { command: order } }, 'command'), t.matches.command);
    } catch (error) {
      showError(error);
    }
  }

  private async savePgn(id: string): Promise<void> {
    try {
      download(await this.app.studio.ask({ match: { pgn: { id } } }, 'pgn'), `match-${id}.pgn`);
    } catch (error) {
      showError(error);
    }
  }

  /** Shows the games that are being played. */
  private showBoards(games: LiveGame[]): void {
    if (!this.parts || this.shown?.id !== this.running?.id) return;
    const { boards } = this.parts;
    const shown = games.slice(0, SHOWN_BOARDS);
    const known = new Map([...boards.children].map((board) => [(board as HTMLElement).dataset.game, board]));
    fill(boards, ...shown.map((game) => liveBoard(game, known.get(String(game.number)) as HTMLElement | undefined)));
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
        top: h('div', { class: 'between' }),
        head: h('div', { class: 'figures' }),
        boards: h('div', { class: 'live-boards' }),
        rows: h('tbody', {}),
      };
      const { game, result, reason } = t.matches.columns;
      const columns = [game, t.sides.white, t.sides.black, result, reason].map((head) =>
        h('th', { scope: 'col', class: head === reason ? 'reason' : null }, head),
      );
      columns.push(h('th', { scope: 'col' }, h('span', { class: 'unseen' }, t.matches.replay)));
      const table = h('table', {}, h('thead', {}, h('tr', {}, ...columns)), this.parts.rows);
      const games = { class: 'scroll games', tabindex: 0, role: 'region', 'aria-label': t.matches.games };
      fill(
        this.live,
        h(
          'div',
          { class: 'card' },
          h('div', { class: 'match-head' }, this.parts.top, this.parts.head),
          this.parts.boards,
          this.graph.element,
          h('div', games, table),
        ),
      );
    }
    this.drawHead(match);
    if (match.over) fill(this.parts!.boards);
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

  /** The names, and what can be done. The buttons stay while they are the same, so that they can be pressed. */
  private drawTop(match: MatchState): void {
    const { top } = this.parts!;
    const hasGames = match.report.games > 0;
    const words = match.over ?? (match.preparing ? t.matches.starting : t.matches.playing);
    const key = [words, match.resumable, hasGames].join();
    if (top.dataset.key === key) return;
    top.dataset.key = key;
    const actions = h(
      'div',
      { class: 'actions' },
      h('span', { class: 'soft' }, words),
      match.over
        ? match.resumable && this.resumeButton(match)
        : button(t.common.stop, () => void this.app.studio.ask({ match: 'stop' }, 'done').catch(showError)),
      hasGames && button(t.common.savePgn, () => void this.savePgn(match.id)),
    );
    fill(top, h('h2', {}, namesOf(match)), actions);
  }

  private drawHead(match: MatchState): void {
    const { report } = match;
    this.drawTop(match);
    const [encounter] = report.encounters;
    const two = report.engines.length === 2 ? encounter : undefined;
    fill(
      this.parts!.head,
      two && resultBar(two.games),
      h(
        'p',
        { class: 'numbers' },
        h('span', {}, t.matches.progress(report.games, report.games_planned)),
        ...(two ? numbersOf(two, report.sprt) : []),
        h('span', { class: 'soft' }, match.clock),
        match.elapsed > 0 && h('span', { class: 'soft' }, t.matches.played(timeText(match.elapsed))),
        match.left !== null &&
          match.left > 0 &&
          h('span', { class: 'soft' }, t.matches.left(timeText(match.left), !!report.sprt)),
      ),
      report.repeats && h('p', { class: 'warning' }, t.matches.repeats),
      !two && standings(report),
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

/** The result in short: of two engines the games, of more the leader. */
function resultOf({ report }: MatchSummary): string {
  const [encounter] = report.encounters;
  if (report.engines.length === 2 && encounter) return gamesText(encounter.games);
  const leader = ranked(report)[0];
  return leader === undefined ? '' : t.matches.leads(report.engines[leader]!.name);
}

function gamesText({ wins, draws, losses }: GameCounts): string {
  return `+${wins} =${draws} −${losses}`;
}

function scoreOf({ wins, draws, losses }: GameCounts): number {
  return (wins + draws / 2) / Math.max(1, wins + draws + losses);
}

/** The indices of the engines, the best first. */
function ranked({ engines }: MatchReport): number[] {
  const value = (index: number): number => engines[index]!.elo ?? 1000 * (scoreOf(engines[index]!.games) - 0.5);
  return [...engines.keys()].sort((a, b) => value(b) - value(a));
}

function resultBar({ wins, draws, losses }: GameCounts): HTMLElement {
  const total = Math.max(1, wins + draws + losses);
  return h(
    'div',
    { class: 'wdl', role: 'img', 'aria-label': t.matches.wdl(wins, draws, losses) },
    ...Object.entries({ win: wins, draw: draws, loss: losses }).map(([kind, number]) => {
      const part = h('span', { class: kind }, number ? String(number) : '');
      part.style.setProperty('--part', String((number / total) * 1000));
      return part;
    }),
  );
}

function numbersOf({ estimate, pairs }: Encounter, test: SprtState | null): Child[] {
  return [
    estimate && h('span', {}, t.matches.score(decimal(estimate.score * 100, 1))),
    estimate?.elo != null &&
      h(
        'span',
        {},
        t.matches.elo(
          decimal(estimate.elo, 1),
          estimate.elo_error === null ? noError(pairs) : decimal(estimate.elo_error, 1),
        ),
      ),
    test &&
      h(
        'span',
        {},
        t.matches.llr(decimal(test.llr, 2), decimal(test.lower, 2), decimal(test.upper, 2), test.elo0, test.elo1),
      ),
    pairsShown(pairs),
  ];
}

/** Why there is no error margin. */
function noError(pairs: number[]): string {
  return pairs.filter(Boolean).length === 1 ? t.matches.identical : t.matches.unknown;
}

/** More than two engines, the best first, with their results against each other. */
function standings(report: MatchReport): HTMLElement {
  const order = ranked(report);
  const between = (first: number, second: number): string => {
    for (const { players, games } of report.encounters) {
      if (players[0] === first && players[1] === second) return gamesText(games);
      if (players[0] === second && players[1] === first)
        return gamesText({ wins: games.losses, draws: games.draws, losses: games.wins });
    }
    return '';
  };
  const { rank, engine, score } = t.matches.standing;
  const heads = [rank, engine, 'Elo', score, ...order.map((_, at) => String(at + 1))];
  const rows = order.map((index, at) => {
    const { name, games, elo, elo_error } = report.engines[index]!;
    const error = elo_error === null ? '' : ` ± ${decimal(elo_error, 1)}`;
    return h(
      'tr',
      {},
      h('td', {}, at + 1),
      h('th', { scope: 'row' }, name),
      h('td', {}, elo === null ? '–' : `${decimal(elo, 1)}${error}`),
      h('td', {}, `${t.common.percent(decimal(scoreOf(games) * 100, 1))} ${gamesText(games)}`),
      ...order.map((other) => h('td', {}, other === index ? '' : between(index, other))),
    );
  });
  const head = h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)));
  const region = { class: 'scroll standings', tabindex: 0, role: 'region', 'aria-label': t.matches.standing.label };
  return h('div', region, h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)));
}

/** Pairs of games by their points. */
function pairsShown(pairs: number[]): HTMLElement | false {
  if (!pairs.some(Boolean)) return false;
  const points = ['0', '½', '1', '1½', '2'];
  const words = t.matches.pairsBy(pairs.map((count, at) => [count, points[at]!]));
  return h(
    'span',
    { class: 'pairs', role: 'img', 'aria-label': words, title: words },
    t.matches.pairsShort(pairs.join(' · ')),
  );
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${decimal(seconds / 3600, 1)} h`;
}

/** A game that is being played: its board between both engines. The board is drawn anew only if the position is another one. */
function liveBoard(game: LiveGame, before: HTMLElement | undefined): HTMLElement {
  const side = (color: 'white' | 'black', name: string, { score, depth, left_ms }: LiveSide): HTMLElement =>
    h(
      'div',
      { class: 'live-side' },
      h('span', { class: `dot ${color}`, 'aria-hidden': 'true' }),
      h('span', { class: 'name', title: name }, name),
      h('span', { class: 'soft' }, [score && scoreText(score), depth && `d${depth}`].filter(Boolean).join(' ')),
      left_ms !== null && h('span', { class: 'clock' }, `${decimal(left_ms / 1000, 1)} s`),
    );
  const at = position(game.fen);
  const board =
    before?.dataset.fen === game.fen
      ? before.querySelector<HTMLElement>('.board')!
      : miniature(at, game.last ? [game.last.slice(0, 2) as Key, game.last.slice(2, 4) as Key] : undefined, 'white');
  return h(
    'div',
    { class: 'live', 'data-game': game.number, 'data-fen': game.fen },
    side('black', game.black, game.sides[1]),
    board,
    side('white', game.white, game.sides[0]),
    h('p', { class: 'soft small' }, t.matches.gameAt(game.number + 1, Math.ceil(game.plies / 2))),
  );
}
