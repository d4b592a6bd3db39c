// Play: a game against the engine. The studio owns the game; this view shows it.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { copy } from '../clipboard';
import { button, confirmButton } from '../controls';
import { today } from '../dates';
import { fill, h } from '../elements';
import { moveEntry } from '../entry';
import { showError } from '../errors';
import { FactsPanel } from '../facts';
import { download } from '../files';
import { playerName, YOU } from '../games';
import { lead } from '../material';
import { moveList } from '../movelist';
import { spoken } from '../notation';
import { announce, notice } from '../notices';
import { opponentOf, playSetup, randomStart } from './playsetup';
import type { GameOver, GameRequest, GameState, Side } from '../protocol';
import { INITIAL_FEN, fromUci, position, squaresOf } from '../rules';
import { settings } from '../settings';
import { knock } from '../sound';
import { t } from '../strings';
import { Tree, type Branch } from '../tree';
import { stepButtons, stepByKey, type Walker } from '../walk';

export class PlayView implements View, Walker {
  readonly element = h('div', { class: 'workbench play' });
  tree = new Tree();
  private board: Board;
  private panel = h('section', { class: 'panel', 'aria-label': t.play.panel });
  private top = h('div', { class: 'player' });
  private bottom = h('div', { class: 'player' });
  private result = h('div', { class: 'ending' });
  private facts: FactsPanel;
  private moves = h('div', { class: 'scroll grow' });
  private entry = moveEntry(
    () => this.tree.end().position,
    (uci) => void this.move(uci),
  );
  private buttons = this.makeButtons();
  /** The panel during a game: it is not redrawn, so that typed text survives the engine's move. */
  private gamePanel: HTMLElement[];
  private game: GameState | undefined;
  /** Whether the state of the game is known. */
  private known = false;
  private receivedAt = 0;
  private version = 0;
  private setup = false;
  private hint: string | undefined;
  /** Whether the engine is asked for a hint or a draw. */
  private asking = false;
  private ticking: number;
  private stopListening: (() => void)[];
  private flipped = false;
  /** The start position of the next game, if not the standard one. */
  private from: string | undefined;

  constructor(
    private app: App,
    arrival: Arrival,
  ) {
    this.facts = new FactsPanel(app);
    this.gamePanel = [
      h('h1', { class: 'unseen' }, t.play.board),
      this.result,
      this.facts.element,
      this.moves,
      stepButtons(this),
      this.entry.element,
      h('div', { class: 'actions game-actions' }, ...Object.values(this.buttons)),
    ];
    this.from = arrival.fen;
    this.setup = arrival.fen !== undefined;
    this.board = new Board((uci) => void this.move(uci), t.play.board);
    this.element.append(
      h('div', { class: 'stage' }, this.top, h('div', { class: 'framed' }, this.board.element), this.bottom),
      this.panel,
    );
    this.ticking = window.setInterval(() => this.showClocks(), 100);
    this.stopListening = [
      app.studio.whenOpen((hello) => this.show(hello.game ?? undefined)),
      app.studio.on('game', (game) => this.show(game)),
      app.studio.on('closed', () => {
        // The studio restarts the version count.
        this.version = 0;
        this.drawPlayers();
      }),
    ];
    this.draw();
  }

  close(): void {
    clearInterval(this.ticking);
    for (const stop of this.stopListening) stop();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    return stepByKey(this, event.key);
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
    // An event may overtake a reply.
    if (game && game.version < this.version) return;
    this.version = game?.version ?? this.version;
    const before = this.game;
    this.known = true;
    this.game = game;
    this.receivedAt = performance.now();
    this.hint = undefined;
    this.entry.reset();
    if (game) {
      const grew = before?.id === game.id && game.moves.length > before.moves.length;
      this.tree = new Tree(game.start);
      const clocks = game.clocks_ms.length === game.moves.length ? game.clocks_ms : [];
      for (const [ply, uci] of game.moves.entries()) {
        this.tree.at = this.tree.play(uci) ?? this.tree.at;
        const left = clocks[ply];
        if (left !== undefined) this.tree.at.comment = clockComment(left);
      }
      if (before && before.id !== game.id) this.flipped = this.setup = false;
      if (grew) this.sound();
      if (grew || game.ending) this.announce(game);
    }
    this.draw();
  }

  private sound(): void {
    const at = this.tree.at;
    if (this.game?.ending) knock('end');
    else if (at.san.includes('+')) knock('check');
    else knock(at.san.includes('x') ? 'capture' : 'move');
  }

  private announce(game: GameState): void {
    const last = this.tree.at.san;
    const words = last ? t.play.plays(this.tree.at.ply % 2 === 1 ? 'white' : 'black', spoken(last)) : '';
    announce(game.ending ? `${words} ${t.play.over(game.ending.result, reasonOf(game.ending))}` : words);
  }

  private async ask(request: GameRequest): Promise<void> {
    try {
      const game = await this.app.studio.ask({ game: request }, 'game');
      this.show(game ?? undefined);
    } catch (error) {
      showError(error);
      this.draw();
    }
  }

  private move(uci: string): Promise<void> {
    return this.ask({ move: { mv: uci, ply: this.game?.moves.length ?? 0 } });
  }

  look(branch: Branch | undefined): void {
    if (!branch) return;
    this.tree.at = branch;
    this.draw();
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.draw();
  }

  private draw(): void {
    const { game } = this;
    if (!game || this.setup) {
      this.drawStart();
      this.drawSetup();
    } else {
      this.drawBoard(game);
      this.drawGame(game);
    }
  }

  private drawBoard(game: GameState): void {
    const at = this.tree.at;
    const mine = !game.ending && this.atEnd ? this.side : undefined;
    const premove = mine !== at.position.turn ? mine : undefined;
    this.board.show({ at: at.position, lastMove: at.squares, orientation: this.orientation, movable: mine, premove });
    if (this.hint && this.atEnd) this.board.arrow(squaresOf(at.position, fromUci(at.position, this.hint)), 'advice');
    this.drawPlayers();
  }

  /** The position of the next game, from the side that is chosen for it. */
  private drawStart(): void {
    const orientation = settings.side === 'black' ? 'black' : 'white';
    this.board.show({ at: position(this.from ?? INITIAL_FEN), orientation });
    const dot = (side: Side): HTMLElement => h('span', { class: `dot ${side}`, 'aria-hidden': 'true' });
    const other = orientation === 'white' ? 'black' : 'white';
    fill(this.top, dot(other), h('span', { class: 'name' }, opponentOf(this.app)));
    fill(this.bottom, dot(orientation), h('span', { class: 'name' }, playerName(YOU)));
  }

  private drawPlayers(): void {
    const { game } = this;
    if (!game || this.setup) return;
    const upper: Side = this.orientation === 'white' ? 'black' : 'white';
    for (const [strip, side] of [
      [this.top, upper],
      [this.bottom, this.orientation],
    ] as const) {
      const engine = side !== game.side;
      const name = engine ? (game.opponent ?? `Vedette · ${game.elo ?? t.play.fullStrength}`) : playerName(YOU);
      const turn = !game.ending && this.tree.end().position.turn === side;
      fill(
        strip,
        h('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
        h('span', { class: 'name' }, name),
        lead(this.tree.at.position, side),
        turn && engine && h('span', { class: 'thinking' }, t.play.thinking),
        turn && !engine && h('span', { class: 'turn' }, t.play.yourTurn),
        game.clock && h('span', { class: `clock ${turn ? 'running' : ''}`, 'data-side': side }),
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
      const passed = game.runs && turn === side && this.app.studio.isOpen ? performance.now() - this.receivedAt : 0;
      const left = Math.max(0, game.left_ms[side === 'white' ? 0 : 1] - passed);
      clock.textContent = clockText(left);
      clock.classList.toggle('low', left < 20_000);
    }
  }

  private makeButtons() {
    return {
      back: button(t.play.takeBack, () => void this.ask('take-back')),
      hint: button(t.play.hint, () => void this.askHint()),
      draw: button(t.play.offerDraw, () => void this.offerDraw()),
      resign: confirmButton(t.play.resign, t.play.resignAsk, () => void this.ask('resign')),
      analyse: button(t.common.analyse, () => this.analyse()),
      another: button(t.play.newGame, () => {
        this.setup = true;
        this.draw();
      }),
    };
  }

  private drawGame(game: GameState): void {
    const over = !!game.ending;
    if (this.panel.firstChild !== this.gamePanel[0]) fill(this.panel, ...this.gamePanel);
    this.element.classList.remove('form-first');
    fill(this.result, over && this.resultCard(game));
    this.facts.show(this.tree.at, game.chess960 ? 'Chess960' : ' ');
    fill(
      this.moves,
      moveList(this.tree, (branch) => this.look(branch)),
    );
    const { back, hint, draw, resign } = this.buttons;
    this.entry.element.hidden = hint.hidden = draw.hidden = resign.hidden = over;
    const first = this.tree.root.position.turn === game.side ? 1 : 2;
    back.disabled = game.moves.length < first;
    hint.disabled = draw.disabled = game.thinking || this.asking;
  }

  private resultCard(game: GameState): HTMLElement {
    const { result } = game.ending!;
    const drawn = result === '1/2-1/2';
    const won = !drawn && (result === '1-0') === (game.side === 'white');
    return h(
      'div',
      { class: `result ${drawn ? 'drawn' : won ? 'won' : 'lost'}` },
      h('h2', {}, drawn ? t.play.draw : won ? t.play.youWon : t.play.youLost(game.opponent ?? 'Vedette')),
      h('p', {}, `${result.replace('1/2-1/2', '½–½').replace('-', '–')} · ${reasonOf(game.ending!)}`),
      h(
        'div',
        { class: 'actions' },
        button(t.play.reviewGame, () => this.app.go('review', { pgn: this.pgn() }), {
          class: 'primary',
          disabled: game.moves.length === 0,
        }),
        button(t.play.rematch, () => this.rematch(game)),
        button(t.common.savePgn, () => download(this.pgn(), `vedette-${game.id}.pgn`)),
        button(t.common.copyPgn, () => void copy(this.pgn(), 'PGN')),
      ),
    );
  }

  /** The same game again with the sides changed. */
  private rematch(game: GameState): void {
    const standard = game.chess960 || game.start === INITIAL_FEN;
    void this.ask({
      new: {
        side: game.side === 'white' ? 'black' : 'white',
        elo: game.elo,
        opponent: game.opponent,
        clock: game.clock,
        chess960: game.chess960 ? randomStart() : null,
        fen: standard ? null : game.start,
        date: today(),
      },
    });
  }

  private pgn(): string {
    const { game } = this;
    if (!game) return '';
    const engine = game.opponent ?? (game.elo ? `Vedette (${game.elo})` : 'Vedette');
    const you = settings.name || YOU;
    const tree = this.tree;
    tree.tags = new Map([
      ['Event', 'Vedette studio'],
      ['Site', '?'],
      ['Date', game.date],
      ['Round', '-'],
      ['White', game.side === 'white' ? you : engine],
      ['Black', game.side === 'white' ? engine : you],
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

  /** The engine accepts a draw, or declines. */
  private async offerDraw(): Promise<void> {
    const { game } = this;
    if (!game) return;
    this.asking = true;
    this.draw();
    try {
      const accepted = await this.app.studio.ask({ game: 'offer-draw' }, 'draw-offer');
      const declined = t.play.declined(game.opponent ?? 'Vedette');
      if (!accepted) announce(declined), notice(declined, 'news');
    } catch (error) {
      showError(error);
    }
    this.asking = false;
    this.draw();
  }

  private async askHint(): Promise<void> {
    this.asking = true;
    this.draw();
    try {
      const hint = await this.app.studio.ask({ game: 'hint' }, 'hint');
      this.hint = hint.mv;
      announce(t.play.hintIs(spoken(hint.san)));
      this.tree.at = this.tree.end();
    } catch (error) {
      showError(error);
    }
    this.asking = false;
    this.draw();
  }

  private drawSetup(): void {
    const { hello } = this.app.studio;
    this.element.classList.add('form-first');
    if (!hello || !this.known)
      return fill(this.panel, h('h1', {}, t.app.views.play), h('p', { class: 'empty' }, t.common.connecting));
    fill(
      this.panel,
      ...playSetup(this.app, hello, {
        from: this.from,
        forget: () => {
          this.from = undefined;
          this.draw();
        },
        start: (game) => {
          this.setup = this.flipped = false;
          this.from = undefined;
          window.scrollTo(0, 0);
          void this.ask({ new: game });
        },
        turned: () => this.drawStart(),
        opponent: () => this.draw(),
        game: this.game,
        back: () => {
          this.setup = false;
          this.draw();
        },
      }),
    );
  }
}

/** How a game ended. */
function reasonOf({ reason }: GameOver): string {
  return t.play.reasons[reason] ?? reason;
}

/** Time left as PGN writes it. */
function clockComment(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `[%clk ${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}]`;
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
