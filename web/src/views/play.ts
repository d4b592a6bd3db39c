// Play: a game against the engine. The studio keeps it; this view shows it and passes moves on.

import { today, type App, type Arrival, type View } from '../app';
import { Board, miniature } from '../board';
import { announce, button, choice, copy, download, field, fill, h, notice, sign, toggle } from '../dom';
import { moveEntry } from '../entry';
import { moveList } from '../movelist';
import { openingOf } from '../openings';
import type { GameState, GameSummary, Side } from '../protocol';
import { fromUci, position, squaresOf } from '../rules';
import { set, settings } from '../settings';
import { knock } from '../sound';
import { Tree, type Branch } from '../tree';

const LEVELS: [number, string][] = [
  [800, 'beginner'],
  [1200, 'casual'],
  [1500, 'club'],
  [1800, 'strong club'],
  [2100, 'expert'],
  [2400, 'master'],
];

export class PlayView implements View {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private panel = h('section', { class: 'panel', 'aria-label': 'Game' });
  private top = h('div', { class: 'player' });
  private bottom = h('div', { class: 'player' });
  private game: GameState | undefined;
  private tree = new Tree();
  private heard = 0;
  private version = 0;
  private setup = false;
  private hint: string | undefined;
  private ticking: number;
  private stopListening: (() => void)[];
  private flipped = false;
  /** The position from which the next game is to begin, if not the usual one. */
  private from: string | undefined;

  constructor(private app: App, arrival: Arrival) {
    this.from = arrival.fen;
    this.setup = arrival.fen !== undefined;
    this.board = new Board((uci) => void this.move(uci), 'Your game');
    this.element.append(
      h('div', { class: 'stage' }, this.top, h('div', { class: 'framed' }, this.board.element), this.bottom),
      this.panel,
    );
    this.ticking = window.setInterval(() => this.showClocks(), 100);
    this.stopListening = [
      app.line.whenOpen((hello) => this.show(hello.game ?? undefined)),
      app.line.on('game', ({ game }) => this.show(game)),
      app.line.on('closed', () => {
        // The studio may begin to count anew.
        this.version = 0;
        this.drawPlayers();
      }),
    ];
    if (!app.line.hello) this.show(undefined);
  }

  close(): void {
    clearInterval(this.ticking);
    for (const stop of this.stopListening) stop();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.look(this.tree.at.parent),
      ArrowRight: () => this.look(this.tree.at.children[0]),
      Home: () => this.look(this.tree.root),
      End: () => this.look(this.tree.end()),
      f: () => this.flip(),
    };
    const step = steps[event.key];
    step?.();
    return step !== undefined;
  }

  private get side(): Side {
    return this.game?.side ?? 'white';
  }

  private get orientation(): Side {
    return (this.side === 'white') !== this.flipped ? 'white' : 'black';
  }

  private get atEnd(): boolean {
    return this.tree.at === this.tree.end();
  }

  private show(game: GameState | undefined): void {
    // An answer may be overtaken by the news of what happened after it.
    if (game && game.version < this.version) return;
    this.version = game?.version ?? this.version;
    const before = this.game;
    this.game = game;
    this.heard = performance.now();
    this.hint = undefined;
    if (game) {
      const grew = before?.id === game.id && game.moves.length > before.moves.length;
      this.tree = new Tree(game.start);
      for (const uci of game.moves) this.tree.at = this.tree.play(uci) ?? this.tree.at;
      if (before && before.id !== game.id) this.flipped = false;
      if (grew) this.sound();
      if (grew || game.ending) this.tell(game);
      if (before && before.id !== game.id) this.setup = false;
    }
    this.draw();
  }

  private sound(): void {
    const at = this.tree.at;
    if (this.game?.ending) knock('end');
    else if (at.san.includes('+')) knock('check');
    else knock(at.san.includes('x') ? 'capture' : 'move');
  }

  private tell(game: GameState): void {
    const last = this.tree.at.san;
    const who = this.tree.at.ply % 2 === 1 ? 'White' : 'Black';
    const words = last ? `${who} plays ${last}.` : '';
    announce(game.ending ? `${words} Game over: ${game.ending.result}, ${game.ending.reason}.` : words);
  }

  private async ask(what: string, details: object = {}): Promise<void> {
    try {
      const game = await this.app.line.ask<GameState | null>(what, details);
      this.show(game ?? undefined);
    } catch (error) {
      notice((error as Error).message);
      this.draw();
    }
  }

  private move(uci: string): Promise<void> {
    return this.ask('game-move', { mv: uci, ply: this.game?.moves.length ?? 0 });
  }

  private look(branch: Branch | undefined): void {
    if (!branch) return;
    this.tree.at = branch;
    this.draw();
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.draw();
  }

  private draw(): void {
    const { game } = this;
    const at = this.tree.at;
    const mine = game && !game.ending && this.atEnd ? this.side : undefined;
    const hinted = this.hint && this.atEnd ? squaresOf(fromUci(at.position, this.hint)) : undefined;
    this.board.show({
      at: at.position,
      lastMove: squaresOf(at.move),
      orientation: this.orientation,
      movable: mine,
      arrows: hinted ? [{ orig: hinted[0]!, dest: hinted[1]!, brush: 'green' }] : [],
    });
    this.drawPlayers();
    if (!game || this.setup) this.drawSetup();
    else this.drawGame(game);
  }

  private drawPlayers(): void {
    const { game } = this;
    const upper: Side = this.orientation === 'white' ? 'black' : 'white';
    for (const [strip, side] of [[this.top, upper], [this.bottom, this.orientation]] as const) {
      const engine = game ? side !== game.side : side === 'black';
      const name = engine ? `Vedette${game?.elo ? ` · ${game.elo}` : game ? ' · full strength' : ''}` : 'You';
      const turn = game && !game.ending && this.tree.end().position.turn === side;
      fill(
        strip,
        h('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
        h('span', { class: 'name' }, name),
        turn && engine && h('span', { class: 'thinking' }, 'thinking'),
        turn && !engine && h('span', { class: 'turn' }, 'your move'),
        game?.clock && h('span', { class: `clock ${turn ? 'running' : ''}`, 'data-side': side }),
      );
    }
    this.showClocks();
  }

  private showClocks(): void {
    const { game } = this;
    if (!game?.clock) return;
    const turn = this.tree.end().position.turn;
    for (const clock of this.element.querySelectorAll<HTMLElement>('.clock')) {
      const side = clock.dataset.side as Side;
      const passed = game.runs && turn === side && this.app.line.isOpen ? performance.now() - this.heard : 0;
      const left = Math.max(0, game.left_ms[side === 'white' ? 0 : 1] - passed);
      clock.textContent = clockText(left);
      clock.classList.toggle('low', left < 20_000);
    }
  }

  private drawGame(game: GameState): void {
    const over = game.ending;
    const opening = openingOf(this.tree.at);
    fill(
      this.panel,
      h('h1', { class: 'unseen' }, 'Your game'),
      over && this.result(game),
      h('p', { class: 'opening' }, opening ?? (game.chess960 ? 'Chess960' : ' ')),
      h('div', { class: 'scroll grow' }, moveList(this.tree, (branch) => this.look(branch))),
      this.steps(),
      !over && moveEntry(() => this.tree.end().position, (uci) => void this.move(uci)),
      h(
        'div',
        { class: 'actions' },
        !over && button('Take back', () => void this.ask('game-takeback'), { disabled: game.moves.length === 0 }),
        !over && button('Hint', () => void this.askHint(), { disabled: game.thinking }),
        !over && button('Resign', () => void this.ask('game-resign')),
        over && button('Take back', () => void this.ask('game-takeback')),
        button('Analyse', () => this.analyse()),
        button('New game', () => {
          this.setup = true;
          this.draw();
        }),
      ),
    );
  }

  private steps(): HTMLElement {
    return h(
      'div',
      { class: 'steps' },
      sign('|◀', 'First position', () => this.look(this.tree.root)),
      sign('◀', 'One move back', () => this.look(this.tree.at.parent)),
      sign('▶', 'One move on', () => this.look(this.tree.at.children[0])),
      sign('▶|', 'Last position', () => this.look(this.tree.end())),
      sign('⇅', 'Turn the board', () => this.flip()),
    );
  }

  private result(game: GameState): HTMLElement {
    const { result, reason } = game.ending!;
    const won = (result === '1-0') === (game.side === 'white') && result !== '1/2-1/2';
    const words = result === '1/2-1/2' ? 'Draw' : won ? 'You won' : 'Vedette won';
    return h(
      'div',
      { class: `result ${result === '1/2-1/2' ? 'drawn' : won ? 'won' : 'lost'}` },
      h('h2', {}, words),
      h('p', {}, `${result} · ${reason}`),
      h(
        'div',
        { class: 'actions' },
        button('Review the game', () => this.app.go('review', { pgn: this.pgn() }), { class: 'primary' }),
        button('Save PGN', () => download(this.pgn(), `vedette-${game.id}.pgn`)),
        button('Copy PGN', () => void copy(this.pgn(), 'PGN')),
      ),
    );
  }

  private pgn(): string {
    const { game } = this;
    if (!game) return '';
    const engine = game.elo ? `Vedette (${game.elo})` : 'Vedette';
    const tree = this.tree;
    tree.tags = new Map([
      ['Event', 'Vedette studio'],
      ['Site', '?'],
      ['Date', game.date],
      ['Round', '-'],
      ['White', game.side === 'white' ? 'You' : engine],
      ['Black', game.side === 'white' ? engine : 'You'],
      ['Result', game.ending?.result ?? '*'],
      ...(game.chess960 ? [['Variant', 'Chess960'] as [string, string]] : []),
    ]);
    return tree.toPgn();
  }

  private analyse(): void {
    const tree = Tree.fromPgn(this.pgn());
    tree.at = tree.end();
    this.app.go('analyse', { tree });
  }

  private async askHint(): Promise<void> {
    try {
      const hint = await this.app.line.ask<{ mv: string; san: string }>('game-hint');
      this.hint = hint.mv;
      announce(`Hint: ${hint.san}`);
      this.tree.at = this.tree.end();
      this.draw();
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private drawSetup(): void {
    const hello = this.app.line.hello;
    const [least, most] = hello?.elo ?? [800, 2800];
    let chess960 = false;
    const level = h('input', {
      type: 'range', min: least, max: most, step: 50, value: Math.min(most, Math.max(least, settings.elo)),
      disabled: settings.full,
      input: () => {
        set('elo', Number(level.value));
        name();
      },
    });
    const output = h('output', { class: 'level' });
    const name = (): void => {
      const elo = settings.elo;
      const words = [...LEVELS].reverse().find(([from]) => elo >= from)?.[1] ?? 'beginner';
      output.textContent = settings.full ? 'full strength' : `${elo} · ${words}`;
      level.setAttribute('aria-valuetext', output.textContent);
    };
    name();
    const number = h('input', { type: 'number', min: 0, max: 959, placeholder: 'random', hidden: true, 'aria-label': 'Number of the start position' });
    const minutes = h('input', { type: 'number', min: 1, max: 180, value: settings.minutes, input: () => set('minutes', Number(minutes.value) || 10) });
    const increment = h('input', { type: 'number', min: 0, max: 60, value: settings.increment, input: () => set('increment', Number(increment.value) || 0) });
    const times = h('div', { class: 'pair', hidden: !settings.timed }, field('Minutes', minutes), field('Seconds a move', increment));
    const games = h('div', { class: 'history' });
    fill(
      this.panel,
      h('h1', {}, 'Play Vedette'),
      h('div', { class: 'field' }, h('div', { class: 'between' }, h('label', { for: 'level' }, 'Strength'), output), level),
      toggle('Full strength', settings.full, (on) => {
        set('full', on);
        level.disabled = on;
        name();
      }),
      this.from !== undefined && this.fromCard(this.from),
      choice('Your side', [['white', 'White'], ['random', 'Random'], ['black', 'Black']], settings.side, (side) => set('side', side)),
      choice('Clock', [['no', 'No clock'], ['yes', 'Clock']], settings.timed ? 'yes' : 'no', (timed) => {
        set('timed', timed === 'yes');
        times.hidden = timed === 'no';
      }),
      times,
      h('div', { class: 'inline' }, toggle('Chess960', false, (on) => {
        chess960 = on;
        number.hidden = !on;
      }), number),
      h(
        'div',
        { class: 'actions' },
        button('Start', () => {
          const side = settings.side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : settings.side;
          const typed = number.value === '' ? Math.floor(Math.random() * 960) : Number(number.value);
          this.setup = false;
          this.flipped = false;
          window.scrollTo(0, 0);
          const from = this.from ?? null;
          this.from = undefined;
          void this.ask('game-new', {
            side,
            elo: settings.full ? null : settings.elo,
            clock: settings.timed ? { seconds: settings.minutes * 60, increment: settings.increment } : null,
            chess960: chess960 && !from ? typed : null,
            fen: from,
            date: today(),
          });
        }, { class: 'primary' }),
        this.game && button('Back to the game', () => {
          this.setup = false;
          this.draw();
        }),
      ),
      games,
    );
    level.id = 'level';
    void this.listGames(games);
  }

  private fromCard(fen: string): HTMLElement {
    const at = position(fen);
    return h('div', { class: 'from' }, miniature(at, undefined, 'white'), h('div', {}, h('p', {}, `From this position, ${at.turn} to move`), button('From the beginning instead', () => {
      this.from = undefined;
      this.draw();
    })));
  }

  private async listGames(into: HTMLElement): Promise<void> {
    const games = await this.app.line.ask<GameSummary[]>('game-list').catch(() => []);
    if (!games.length) return;
    fill(
      into,
      h('h2', {}, 'Your games'),
      h(
        'ul',
        { class: 'list' },
        ...games.slice(0, 50).map((game) =>
          h(
            'li',
            {},
            h('button', { type: 'button', class: 'wide', click: () => void this.openGame(game.id) },
              h('span', {}, `${game.white} – ${game.black}`),
              h('span', { class: 'soft' }, `${game.result} · ${game.moves} moves · ${game.date}`)),
          ),
        ),
      ),
    );
  }

  private async openGame(id: string): Promise<void> {
    try {
      const pgn = await this.app.line.ask<string>('game-open', { id });
      this.app.go('analyse', { tree: Tree.fromPgn(pgn) });
    } catch (error) {
      notice((error as Error).message);
    }
  }
}

/** Minutes and seconds; tenths when there is little left. */
function clockText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const whole = Math.floor(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  if (seconds < 20) return `0:${(Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, '0')}`;
  return `${Math.floor(whole / 60)}:${pad(whole % 60)}`;
}
