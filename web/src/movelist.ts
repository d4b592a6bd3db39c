// The move list: main line in two columns, variations in parentheses, and comments.

import { clockOf, scoreOf, textOfComment } from './comments';
import { h } from './elements';
import { shown } from './notation';
import { t } from './strings';
import type { Branch, Tree } from './tree';
import { GLYPHS } from './tree';

export interface Mark {
  glyph: string;
  kind: string;
}

/** Draws the moves; `go` is called with the branch that is chosen. */
export function moveList(
  tree: Tree,
  go: (branch: Branch) => void,
  mark: (branch: Branch) => Mark | undefined = () => undefined,
): HTMLElement {
  const numberOf = (branch: Branch, first: boolean): string => {
    const number = Math.floor((branch.ply + 1) / 2);
    return branch.ply % 2 === 1 ? `${number}.` : first ? `${number}…` : '';
  };
  const item = (branch: Branch, prefix = ''): HTMLElement => {
    const glyphs = branch.nags.map((nag) => `${nag < 10 ? '' : '\u202f'}${GLYPHS[nag] ?? `$${nag}`}`).join('');
    const marked = mark(branch);
    const move = h(
      'button',
      {
        type: 'button',
        class: `move ${marked?.kind ?? ''}`,
        'aria-current': branch === tree.at ? 'true' : null,
        click: () => go(branch),
      },
      `${shown(branch.san)}${marked?.glyph ?? glyphs}`,
    );
    return h('span', { class: 'item' }, prefix && h('span', { class: 'number' }, prefix), prefix && '\u00a0', move);
  };
  const variation = (from: Branch): HTMLElement => {
    const line = h('span', { class: 'variation' });
    let branch: Branch | undefined = from;
    let withNumber = true;
    while (branch) {
      if (branch !== from) line.append(' ');
      line.append(item(branch, numberOf(branch, withNumber)));
      withNumber = false;
      const text = textOfComment(branch.comment);
      if (text) {
        line.append(' ', h('span', { class: 'comment' }, text));
        withNumber = true;
      }
      const parent: Branch = branch.parent!;
      if (parent.children[0] === branch && branch !== from) {
        for (const other of parent.children.slice(1)) {
          line.append(' ', variation(other));
          withNumber = true;
        }
      }
      branch = branch.children[0];
    }
    return line;
  };
  const list = h('div', { class: 'moves', role: 'group', 'aria-label': t.moves.list });
  const preface = textOfComment(tree.root.comment);
  if (preface) list.append(h('p', { class: 'comment' }, preface));
  let row: HTMLElement | undefined;
  let branch = tree.root.children[0];
  while (branch) {
    const white = branch.ply % 2 === 1;
    if (!row || white) {
      row = h('div', { class: 'row' }, h('span', { class: 'number' }, `${Math.floor((branch.ply + 1) / 2)}`));
      if (!white) row.append(h('span', { class: 'item dots' }, '…'));
      list.append(row);
    }
    const cell = item(branch);
    row.append(cell);
    const others = branch.parent!.children.slice(1);
    const score = scoreOf(branch.comment, white);
    if (score) cell.append(h('span', { class: 'comment-score', title: branch.comment }, score));
    const clock = clockOf(branch.comment);
    if (clock) cell.append(h('span', { class: 'comment-clock', title: t.moves.clock }, clock));
    const text = textOfComment(branch.comment);
    if (text || others.length) {
      const extra = h('div', { class: 'extra' });
      if (text) extra.append(h('span', { class: 'comment' }, text));
      for (const other of others) extra.append(h('div', {}, variation(other)));
      list.append(extra);
      row = undefined;
    }
    branch = branch.children[0];
  }
  if (!tree.root.children.length) list.append(h('p', { class: 'empty' }, t.moves.none));
  requestAnimationFrame(() => {
    const current = list.querySelector<HTMLElement>('[aria-current]');
    const box = list.closest<HTMLElement>('.scroll') ?? list;
    if (!current) return void (box.scrollTop = 0);
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 0 || top > box.clientHeight - 32) box.scrollTop += top - box.clientHeight / 2;
  });
  return list;
}
