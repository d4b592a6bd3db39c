// The position editor: pieces, side to move, castling rights and en passant square.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, Piece } from '@lichess-org/chessground/types';
import { findOnTouch } from './board';
import { button, choice, field, toggle } from './controls';
import { fill, h } from './elements';
import type { Side } from './protocol';
import { CASTLINGS, INITIAL_FEN, castlingsOf, fenOf, enPassantSquares, position, withCastling } from './rules';
import { t } from './strings';

const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;

export class Editor {
  readonly element: HTMLElement;
  private ground: Api;
  private watcher: ResizeObserver;
  private surface = h('div', { class: 'surface' });
  private palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t.editor.palette });
  private fault = h('p', { class: 'form-error', role: 'status' });
  private chosen: Piece | 'hand' | 'empty' = 'hand';
  private turn!: Side;
  private castling!: string;
  /** The en passant square, or a dash. */
  private enPassant!: string;
  /** Halfmove clock and fullmove number. */
  private clocks!: string;
  private cursor: Key = 'e4';
  private castleBoxes = h('div', { class: 'castling' });
  private enPassantList = h('select', {
    change: () => {
      this.enPassant = this.enPassantList.value;
      this.check();
    },
  });
  private enPassantField = field(t.editor.enPassant, this.enPassantList, { hidden: true });
  private fen = h('input', { type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });

  constructor(
    fen: string,
    private done: (fen: string | undefined) => void,
  ) {
    const pieces = this.take(fen);
    const board = h(
      'div',
      {
        class: 'board',
        tabindex: 0,
        role: 'application',
        'aria-label': t.editor.keys,
        keydown: (event) => this.key(event),
        blur: () => this.ground.set({ highlight: { custom: new Map() } }),
      },
      this.surface,
    );
    this.element = h(
      'div',
      { class: 'editing', tabindex: -1, keydown: (event) => this.leave(event) },
      h('div', { class: 'stage' }, h('div', { class: 'framed' }, board), this.palette),
      h(
        'section',
        { class: 'panel', 'aria-label': t.editor.label },
        h('h1', {}, t.editor.title),
        choice(
          t.editor.turn,
          [
            ['white', t.sides.white],
            ['black', t.sides.black],
          ],
          this.turn,
          (side) => {
            this.turn = side;
            this.check();
          },
        ),
        h('fieldset', { class: 'choice' }, h('legend', {}, t.editor.castling), this.castleBoxes),
        this.enPassantField,
        field('FEN', this.fen),
        this.fault,
        h(
          'div',
          { class: 'actions' },
          button(t.common.startPosition, () => this.load(INITIAL_FEN)),
          button(t.editor.clear, () => this.load('8/8/8/8/8/8/8/8 w - - 0 1')),
        ),
        h(
          'div',
          { class: 'actions' },
          button(t.editor.use, () => this.finish(), { class: 'primary' }),
          button(t.common.cancel, () => this.done(undefined)),
        ),
      ),
    );
    this.fen.addEventListener('change', () => this.load(this.fen.value));
    this.ground = Chessground(this.surface, {
      fen: pieces,
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      animation: { enabled: false },
      drawable: { enabled: false },
      selectable: { enabled: false },
      events: { change: () => this.check() },
    });
    findOnTouch(this.surface, this.ground);
    this.surface.addEventListener('pointerdown', (event) => this.put(event), true);
    this.drawPalette();
    this.drawCastling();
    this.check();
    this.watcher = new ResizeObserver(() => this.ground.redrawAll());
    this.watcher.observe(this.surface);
  }

  close(): void {
    this.watcher.disconnect();
    this.ground.destroy();
  }

  /** Takes the fields of a FEN; returns the pieces. */
  private take(fen: string): string {
    const [pieces, turn, castling, enPassant, halfmoves, number] = fen.trim().split(/\s+/);
    this.turn = turn === 'b' ? 'black' : 'white';
    this.castling = castling ?? '-';
    this.enPassant = enPassant ?? '-';
    this.clocks = `${halfmoves ?? 0} ${number ?? 1}`;
    return pieces!;
  }

  private load(fen: string): void {
    this.ground.set({ fen: this.take(fen) });
    for (const radio of this.element.querySelectorAll<HTMLInputElement>('input[type=radio]'))
      radio.checked = radio.value === this.turn;
    this.drawCastling();
    this.check();
  }

  private drawPalette(): void {
    const item = (what: Piece | 'hand' | 'empty', label: string, inside: HTMLElement): HTMLElement =>
      h(
        'button',
        {
          type: 'button',
          role: 'radio',
          'aria-checked': String(same(this.chosen, what)),
          'aria-label': label,
          title: label,
          class: 'cg-wrap',
          click: () => {
            this.chosen = what;
            this.drawPalette();
          },
        },
        inside,
      );
    const pieces = (['white', 'black'] as const).flatMap((color) =>
      ROLES.map((role) =>
        item({ role, color }, t.piece(color, role), h('piece' as 'span', { class: `${role} ${color}` })),
      ),
    );
    fill(
      this.palette,
      item('hand', t.editor.move, h('span', { 'aria-hidden': 'true', class: 'tool' }, '✥')),
      ...pieces,
      item('empty', t.editor.erase, h('span', { 'aria-hidden': 'true', class: 'tool' }, '⌫')),
    );
  }

  private drawCastling(): void {
    const allowed = castlingsOf(this.text());
    fill(
      this.castleBoxes,
      ...CASTLINGS.map((castling) =>
        toggle(t.editor.castlings[castling], allowed.includes(castling), (on) => {
          this.castling = withCastling(this.text(), castling, on);
          this.check();
        }),
      ),
    );
  }

  /** Lists the possible en passant squares; hidden if there are none. */
  private drawEnPassant(): void {
    const squares = enPassantSquares(this.text());
    if (!squares.includes(this.enPassant)) this.enPassant = '-';
    this.enPassantField.hidden = squares.length === 0;
    fill(
      this.enPassantList,
      ...['-', ...squares].map((square) =>
        h('option', { value: square, selected: square === this.enPassant }, square === '-' ? t.editor.none : square),
      ),
    );
  }

  private put(event: PointerEvent): void {
    if (this.chosen === 'hand' || event.button !== 0) return;
    const key = this.ground.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    this.ground.setPieces(new Map([[key, this.chosen === 'empty' ? undefined : this.chosen]]));
    this.check();
  }

  /** Escape leaves the editor. */
  private leave(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    this.done(undefined);
  }

  private key(event: KeyboardEvent): void {
    const file = this.cursor.charCodeAt(0) - 97;
    const rank = Number(this.cursor[1]);
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    const step = steps[event.key];
    const role = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' }[event.key.toLowerCase()] as
      | Piece['role']
      | undefined;
    if (step) {
      const next = [Math.min(7, Math.max(0, file + step[0])), Math.min(8, Math.max(1, rank + step[1]))] as const;
      this.cursor = `${String.fromCharCode(97 + next[0])}${next[1]}` as Key;
    } else if (role) {
      this.ground.setPieces(
        new Map([[this.cursor, { role, color: event.key === event.key.toUpperCase() ? 'white' : 'black' }]]),
      );
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      this.ground.setPieces(new Map([[this.cursor, undefined]]));
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.ground.set({ highlight: { custom: new Map([[this.cursor, 'cursor']]) } });
    this.check();
  }

  private text(): string {
    return `${this.ground.getFen()} ${this.turn === 'white' ? 'w' : 'b'} ${this.castling} ${this.enPassant} ${this.clocks}`;
  }

  private check(): boolean {
    if (!this.ground) return false;
    this.drawEnPassant();
    this.fen.value = this.text();
    try {
      position(this.text());
      this.fault.textContent = '';
      return true;
    } catch (error) {
      this.fault.textContent = t.editor.invalid((error as Error).message);
      return false;
    }
  }

  private finish(): void {
    if (this.check()) this.done(fenOf(position(this.text())));
  }
}

function same(a: Piece | 'hand' | 'empty', b: Piece | 'hand' | 'empty'): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.role === b.role && a.color === b.color : a === b;
}
