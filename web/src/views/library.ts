// Library: all games of the data folder in one list that can be searched.

import type { App, Arrival, View } from '../app';
import { button, field, removeButton, select } from '../controls';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { textOf } from '../files';
import { gameRow, libraryTree } from '../librarylist';
import { pairing } from '../games';
import { notice } from '../notices';
import type { GameSource, LibraryGame, LibraryPage } from '../protocol';
import { t } from '../strings';

/** How long the search waits for the next letter, in milliseconds. */
const TYPING = 150;

export class LibraryView implements View {
  readonly element = h('div', { class: 'page' });
  private words = h('input', {
    type: 'search',
    placeholder: t.library.examples,
    autocomplete: 'off',
    input: () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.search(), TYPING);
    },
  });
  private source: GameSource | undefined;
  private count = h('p', { class: 'soft', role: 'status' });
  private list = h('ul', { class: 'list library' });
  private more = button(t.library.more, () => void this.search(this.list.childElementCount), { hidden: true });
  private timer: number | undefined;
  /** The number of the newest search: replies to earlier ones are outdated. */
  private run = 0;
  private stopListening: () => void;

  constructor(
    private app: App,
    _arrival: Arrival,
  ) {
    const file = h('input', { type: 'file', accept: '.pgn,.txt', hidden: true, 'aria-label': t.common.pgnFile });
    file.addEventListener('change', async () => {
      this.text((await textOf(file.files?.[0])) ?? '');
      file.value = '';
    });
    const sources: [string, string][] = [['', t.library.all], ...Object.entries(t.library.sources)];
    fill(
      this.element,
      h('h1', {}, t.app.views.library),
      h('p', { class: 'soft' }, t.library.intro),
      h(
        'div',
        { class: 'inline' },
        field(t.library.search, this.words, { class: 'field grow' }),
        field(
          t.library.source,
          select(sources, '', (value) => {
            this.source = value ? (value as GameSource) : undefined;
            void this.search();
          }),
        ),
        button(t.library.import, () => file.click()),
        file,
      ),
      this.count,
      this.list,
      this.more,
    );
    this.stopListening = app.studio.whenOpen(() => void this.search());
  }

  close(): void {
    clearTimeout(this.timer);
    this.stopListening();
  }

  text(pgn: string): boolean {
    if (pgn.trim()) void this.import(pgn);
    return true;
  }

  private async import(pgn: string): Promise<void> {
    try {
      const games = await this.app.studio.ask({ library: { import: { pgn } } }, 'imported');
      notice(t.library.imported(games), 'news');
      await this.search();
    } catch (error) {
      showError(error);
    }
  }

  private async search(skip = 0): Promise<void> {
    const run = ++this.run;
    try {
      const search = { text: this.words.value, source: this.source ?? null, skip };
      const page = await this.app.studio.ask({ library: { search } }, 'library');
      if (run === this.run) this.draw(page, skip);
    } catch (error) {
      showError(error);
    }
  }

  private draw({ games, count, truncated }: LibraryPage, skip: number): void {
    const rows = games.map((game) => this.row(game));
    if (skip) this.list.append(...rows);
    else fill(this.list, ...rows);
    const found = t.common.games(count);
    this.count.textContent = count ? `${found}${truncated ? t.library.truncated : ''}` : t.library.none;
    this.more.hidden = this.list.childElementCount >= count;
  }

  private row(game: LibraryGame): HTMLElement {
    const { source, id } = game;
    const name = pairing(game.white, game.black);
    const remove = async (): Promise<void> => {
      await this.app.studio.ask({ library: { remove: { source, id } } }, 'done').catch(showError);
      await this.search();
    };
    const removable = source === 'played' || (source === 'imported' && game.index === 0);
    return h(
      'li',
      {},
      gameRow(game, () => void openGame(this.app, game)),
      game.unfinished && continueButton(this.app, game),
      button(t.app.views.review, () => void reviewGame(this.app, game), { 'aria-label': t.library.reviewOf(name) }),
      removable &&
        removeButton(source === 'played' ? t.setup.removed(name) : t.library.removedFile(name), () => void remove()),
    );
  }
}

/** Opens a game on the analysis board. */
async function openGame(app: App, game: LibraryGame): Promise<void> {
  try {
    app.go('analyse', { tree: await libraryTree(app, game) });
  } catch (error) {
    showError(error);
  }
}

async function reviewGame(app: App, game: LibraryGame): Promise<void> {
  try {
    app.go('review', { pgn: (await libraryTree(app, game)).toPgn() });
  } catch (error) {
    showError(error);
  }
}

/** Goes on with an unfinished game. */
export function continueButton(app: App, game: LibraryGame): HTMLElement {
  const goOn = async (): Promise<void> => {
    try {
      await app.studio.ask({ game: { continue: { id: game.id } } }, 'game');
      app.go('play');
    } catch (error) {
      showError(error);
    }
  };
  return button(t.library.continue, () => void goOn(), {
    'aria-label': t.library.continueOf(pairing(game.white, game.black)),
  });
}
