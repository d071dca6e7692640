/** The visible text of a row. */
import type { Token, Tokens } from '@chat-kernel/text/markdown';
import { findItemLabels } from '../items/item-labels.ts';
import type { Row } from '../rows/rows.ts';

const known = new WeakMap<Row, string>();

export function rowText(row: Row): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const { item, piece } = row;
  const text = piece
    ? [...piece.settled, ...piece.open].map(({ token }) => tokenText(token)).join('\n')
    : findItemLabels(item).text(item);
  known.set(row, text);
  return text;
}

function tokenText(token: Token): string {
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.map(tokenText).join('\n');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map(({ tokens }) => tokens.map(tokenText).join(''))
        .join('\n');
    }
    case 'br':
    case 'space':
      return '\n';
  }
  if ('tokens' in token && token.tokens) return token.tokens.map(tokenText).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
