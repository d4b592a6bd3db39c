// The moves of a tree as text: main line in two columns, variations in brackets, comments where they belong.

import { h } from './dom';
import type { Branch, Tree } from './tree';
import { GLYPHS } from './tree';

export interface Mark {
  sign: string;
  kind: string;
}

/** What engines write behind their moves: score, depth, time. */
const ENGINE_REMARK = /^([+-]?(?:\d+\.\d+|M\d+))\/\d+\s[\d.]+s/;

/** A score as White sees it; engines tell that of the side that moved. */
function forWhite(score: string, white: boolean): string {
  if (/^[+-]?0\.0+$/.test(score)) return '0.00';
  return `${score.startsWith('-') === white ? '−' : '+'}${score.replace(/^[+-]/, '')}`;
}

/** Draws the moves; `go` is called with the branch that is chosen. */
export function moveList(
  tree: Tree,
  go: (branch: Branch) => void,
  mark: (branch: Branch) => Mark | undefined = () => undefined,
): HTMLElement {
  const item = (branch: Branch, withNumber: boolean): HTMLElement => {
    const number = Math.floor((branch.ply + 1) / 2);
    const prefix = branch.ply % 2 === 1 ? `${number}.` : withNumber ? `${number}…` : '';
    const glyphs = branch.nags.map((nag) => GLYPHS[nag] ?? '').join('');
    const judged = mark(branch);
    const move = h(
      'button',
      {
        type: 'button',
        class: `move ${judged?.kind ?? ''}`,
        'aria-current': branch === tree.at ? 'true' : null,
        click: () => go(branch),
      },
      `${branch.san}${judged?.sign ?? glyphs}`,
    );
    return h('span', { class: 'item' }, prefix && h('span', { class: 'number' }, prefix), move);
  };
  const variation = (from: Branch): HTMLElement => {
    const line = h('span', { class: 'variation' });
    let branch: Branch | undefined = from;
    let withNumber = true;
    while (branch) {
      if (branch !== from) line.append(' ');
      line.append(item(branch, withNumber));
      withNumber = false;
      if (branch.comment) {
        line.append(' ', h('span', { class: 'comment' }, branch.comment));
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
  const list = h('div', { class: 'moves', role: 'group', 'aria-label': 'Moves' });
  if (tree.root.comment) list.append(h('p', { class: 'comment' }, tree.root.comment));
  let row: HTMLElement | undefined;
  let branch = tree.root.children[0];
  while (branch) {
    const white = branch.ply % 2 === 1;
    if (!row || white) {
      row = h('div', { class: 'row' }, h('span', { class: 'number' }, `${Math.floor((branch.ply + 1) / 2)}`));
      if (!white) row.append(h('span', { class: 'item dots' }, '…'));
      list.append(row);
    }
    const cell = item(branch, false);
    cell.querySelector('.number')?.remove();
    row.append(cell);
    const others = branch.parent!.children.slice(1);
    const told = ENGINE_REMARK.exec(branch.comment)?.[1];
    if (told) cell.append(h('span', { class: 'told', title: branch.comment }, forWhite(told, white)));
    if ((branch.comment && !told) || others.length) {
      const extra = h('div', { class: 'extra' });
      if (branch.comment && !told) extra.append(h('span', { class: 'comment' }, branch.comment));
      for (const other of others) extra.append(h('div', {}, variation(other)));
      list.append(extra);
      row = undefined;
    }
    branch = branch.children[0];
  }
  if (!tree.root.children.length) list.append(h('p', { class: 'empty' }, 'No moves yet.'));
  requestAnimationFrame(() => {
    const current = list.querySelector<HTMLElement>('[aria-current]');
    const box = list.closest<HTMLElement>('.scroll') ?? list;
    if (!current) return void (box.scrollTop = 0);
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 0 || top > box.clientHeight - 32) box.scrollTop += top - box.clientHeight / 2;
  });
  return list;
}
