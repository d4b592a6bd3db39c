// The dialog with the user's settings.

import { choice, field, select, toggle } from './controls';
import { openDialog } from './dialog';
import { h } from './elements';
import { applyTheme, BOARDS, PIECES, set, settings, type Settings } from './settings';
import { LANGUAGES, t } from './strings';

/** Opens it; afterwards `redraw` is called if the view has to be drawn again, and `drawn` for the rest of the page. */
export function openPreferences(redraw: () => void, drawn: () => void): void {
  const before = { ...settings };
  const name = h('input', {
    type: 'text',
    value: settings.name,
    placeholder: t.play.you,
    maxlength: 40,
    autocomplete: 'off',
    input: () => set('name', name.value.trim()),
  });
  const look = <K extends 'theme' | 'board' | 'pieces'>(key: K, value: Settings[K]): void => {
    set(key, value);
    applyTheme();
    drawn();
  };
  openDialog(
    t.preferences.title,
    () => {
      // Texts are made when the page is loaded.
      if (settings.language !== before.language) return location.reload();
      if (settings.notation !== before.notation || settings.name !== before.name) redraw();
    },
    field(t.preferences.name, name),
    field(
      t.preferences.language,
      select(
        [['', t.preferences.browserLanguage], ...Object.entries(LANGUAGES).map(languageOption)],
        settings.language,
        (value) => set('language', value),
      ),
    ),
    choice(
      t.preferences.notation,
      [
        ['letters', t.preferences.letters],
        ['figurines', t.preferences.figurines],
      ],
      settings.notation,
      (value) => set('notation', value),
    ),
    choice(
      t.preferences.theme,
      [
        ['system', t.preferences.themes.system],
        ['light', t.preferences.themes.light],
        ['dark', t.preferences.themes.dark],
      ],
      settings.theme,
      (value) => look('theme', value),
    ),
    choice(
      t.preferences.board,
      BOARDS.map((board) => [board, t.preferences.boards[board]]),
      settings.board,
      (value) => look('board', value),
    ),
    choice(
      t.preferences.pieces,
      PIECES.map((pieces) => [pieces, t.preferences.sets[pieces]]),
      settings.pieces,
      (value) => look('pieces', value),
    ),
    toggle(t.preferences.sound, settings.sound, (on) => {
      set('sound', on);
      drawn();
    }),
  );
}

function languageOption([code, { name }]: [string, { name: string }]): [string, string] {
  return [code, name];
}
