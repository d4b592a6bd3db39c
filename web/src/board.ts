// A board to look at and to move on: chessground with legal moves, promotion, and a cursor for the keyboard.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Chess } from 'chessops/chess';
import { normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { makeBoardFen } from 'chessops/fen';
import type { Role } from 'chessops/types';
import { makeUci, parseSquare } from 'chessops/util';
import { BRUSHES } from './brushes';
import { iconButton } from './controls';
import { h } from './elements';
import { announce } from './notices';
import type { Side } from './protocol';
import { isChess960 } from './rules';
import { t } from './strings';

export interface Showing {
  at: Chess;
  lastMove?: Key[] | undefined;
  orientation?: Side;
  /** Who may move; no one if left out. */
  movable?: Side | 'both' | undefined;
  /** Who may choose a move that is played as soon as it is legal. */
  premove?: Side | undefined;
  arrows?: DrawShape[];
  /** The user's own arrows and circles. */
  drawn?: DrawShape[];
}

/** Updates the bounds of a board whenever it is touched: it may have moved with the layout. */
export function findOnTouch(surface: HTMLElement, ground: Api): void {
  for (const touch of ['pointerdown', 'mousedown', 'touchstart']) {
    surface.addEventListener(touch, () => ground.state.dom.bounds.clear(), { capture: true, passive: true });
  }
}

export class Board {
  readonly element: HTMLElement;
  private ground: Api;
  private showing?: Showing;
  /** The square of the keyboard; none before its first use. */
  private cursor?: Key;
  private watcher: ResizeObserver;
  private shapes: DrawShape[] = [];
  private measured = false;

  constructor(
    private onMove: (uci: string) => void = () => {},
    label = t.board.label,
    onDraw?: (shapes: DrawShape[]) => void,
  ) {
    const surface = h('div', { class: 'surface' });
    this.element = h(
      'div',
      {
        class: 'board',
        tabindex: 0,
        role: 'application',
        'aria-label': `${label}. ${t.board.keys}`,
        keydown: (event) => this.key(event),
        blur: () => this.showCursor(false),
      },
      surface,
    );
    this.ground = Chessground(surface, {
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
      movable: { free: false, events: { after: (from, to) => this.moved(from, to) } },
      draggable: { showGhost: true },
      premovable: { enabled: false, events: { set: (from, to) => announce(t.play.premove(`${from} ${to}`)) } },
      drawable: {
        enabled: true,
        brushes: BRUSHES as never,
        eraseOnMovablePieceClick: !onDraw,
        ...(onDraw ? { onChange: onDraw } : {}),
      },
      highlight: { lastMove: true, check: true },
      disableContextMenu: true,
    });
    findOnTouch(surface, this.ground);
    this.watcher = new ResizeObserver(() => this.measure(surface.clientWidth > 0));
    this.watcher.observe(surface);
  }

  get orientation(): Side {
    return this.ground.state.orientation;
  }

  private get at(): Chess | undefined {
    return this.showing?.at;
  }

  show(showing: Showing): void {
    this.showing = showing;
    const { at } = showing;
    const mayMove = showing.movable && (showing.movable === 'both' || showing.movable === at.turn);
    this.ground.set({
      fen: makeBoardFen(at.board),
      orientation: showing.orientation ?? this.ground.state.orientation,
      turnColor: at.turn,
      check: at.isCheck() ? at.turn : false,
      lastMove: showing.lastMove ?? [],
      drawable: { shapes: showing.drawn ?? [] },
      movable: {
        color: mayMove ? at.turn : showing.premove,
        dests: mayMove ? (chessgroundDests(at, { chess960: isChess960(at) }) as Map<Key, Key[]>) : new Map(),
      },
      premovable: { enabled: showing.premove !== undefined },
    } as Parameters<Api['set']>[0]);
    this.arrows(showing.arrows ?? []);
    if (mayMove) this.ground.playPremove();
    else if (!showing.premove) this.ground.cancelPremove();
  }

  /** One arrow, or none. */
  arrow(squares: Key[] | undefined, brush: keyof typeof BRUSHES): void {
    this.arrows(squares ? [{ orig: squares[0]!, dest: squares[1]!, brush }] : []);
  }

  arrows(shapes: DrawShape[]): void {
    this.shapes = shapes;
    // A board that is not on the page has no size.
    this.ground.setAutoShapes(this.measured ? shapes : []);
  }

  private measure(onPage: boolean): void {
    this.measured = onPage;
    if (onPage) this.ground.redrawAll();
    this.ground.setAutoShapes(onPage ? this.shapes : []);
  }

  turn(orientation: Side): void {
    this.ground.set({ orientation });
  }

  flip(): void {
    this.ground.toggleOrientation();
  }

  destroy(): void {
    this.watcher.disconnect();
    // Cancels pending redraws: the board is removed from the page.
    this.measured = false;
    this.ground.setAutoShapes([]);
    this.ground.destroy();
  }

  private moved(from: Key, to: Key): void {
    const at = this.at;
    if (!at) return;
    const origin = parseSquare(from)!;
    const target = parseSquare(to)!;
    const promotes = at.board.getRole(origin) === 'pawn' && (target < 8 || target >= 56);
    const send = (promotion?: Role): void => {
      const move = promotion ? { from: origin, to: target, promotion } : { from: origin, to: target };
      this.onMove(makeUci(normalizeMove(at, move)));
    };
    if (promotes) this.askPromotion(to, at.turn, send);
    else send();
  }

  /** Shows the promotion choice next to the target square. */
  private askPromotion(square: Key, color: Side, send: (role: Role) => void): void {
    // With the mouse the focus was not on the board, and keys step through the game.
    const byKeyboard = document.activeElement === this.element;
    const close = (): void => {
      dialog.remove();
      if (byKeyboard) this.element.focus();
    };
    const cancel = (): void => {
      close();
      const { showing, shapes } = this;
      if (showing) this.show({ ...showing, orientation: this.orientation, arrows: shapes });
    };
    const roles: Role[] = ['queen', 'rook', 'bishop', 'knight'];
    const dialog = h(
      'div',
      {
        class: 'promotion',
        role: 'dialog',
        'aria-label': t.board.promote,
        keydown: (event: KeyboardEvent) => {
          event.stopPropagation();
          const initial = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' }[event.key.toLowerCase()] as
            | Role
            | undefined;
          if (event.key === 'Escape') cancel();
          else if (initial) {
            close();
            send(initial);
          }
        },
      },
      ...roles.map((role) =>
        h(
          'button',
          {
            type: 'button',
            'aria-label': t.roles[role],
            class: 'cg-wrap',
            click: () => {
              close();
              send(role);
            },
          },
          h('piece' as 'span', { class: `${role} ${color}` }),
        ),
      ),
      iconButton('cross', t.common.cancel, cancel),
    );
    const file = square.charCodeAt(0) - 97;
    const column = this.orientation === 'white' ? file : 7 - file;
    dialog.style.setProperty('--file', String(Math.min(column, 7)));
    this.element.append(dialog);
    dialog.querySelector('button')?.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const white = this.orientation === 'white';
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, white ? 1 : -1],
      ArrowDown: [0, white ? -1 : 1],
      ArrowLeft: [white ? -1 : 1, 0],
      ArrowRight: [white ? 1 : -1, 0],
    };
    const step = steps[event.key];
    if (step) {
      const from = this.square;
      const file = Math.min(7, Math.max(0, from.charCodeAt(0) - 97 + step[0]));
      const rank = Math.min(8, Math.max(1, Number(from[1]) + step[1]));
      this.cursor = `${String.fromCharCode(97 + file)}${rank}` as Key;
      this.showCursor(true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.ground.selectSquare(this.square);
      this.showCursor(true);
    } else if (event.key === 'Escape') {
      this.ground.selectSquare(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The square of the keyboard: at first the king's pawn of the side at the bottom. */
  private get square(): Key {
    return this.cursor ?? (this.orientation === 'white' ? 'e2' : 'e7');
  }

  private showCursor(on: boolean): void {
    const { square } = this;
    this.ground.set({ highlight: { custom: new Map(on ? [[square, 'cursor']] : []) } });
    if (!on) return;
    const piece = this.at?.board.get(parseSquare(square)!);
    const picked = this.ground.state.selected === square ? `, ${t.board.selected}` : '';
    announce(`${square} ${piece ? t.piece(piece.color, piece.role) : t.board.empty}${picked}`);
  }
}

/** A small board that only shows a position. */
export function miniature(at: Chess, lastMove: Key[] | undefined, orientation: Side): HTMLElement {
  const surface = h('div', { class: 'surface' });
  const element = h('div', { class: 'board mini', 'aria-hidden': 'true' }, surface);
  const config: Parameters<typeof Chessground>[1] = {
    fen: makeBoardFen(at.board),
    orientation,
    viewOnly: true,
    coordinates: false,
    animation: { enabled: false },
  };
  if (lastMove) config.lastMove = lastMove;
  const ground = Chessground(surface, config);
  requestAnimationFrame(() => ground.redrawAll());
  return element;
}
