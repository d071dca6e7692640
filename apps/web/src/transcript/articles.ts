/** Rows that are in view, as the articles that they belong to. */
import type { VirtualItem } from '@tanstack/react-virtual';
import type { Row } from '../rows/rows.ts';

export interface Article {
  key: string;
  rows: { row: Row; index: number }[];
}

export function articlesOf(visible: readonly VirtualItem[], rows: readonly Row[]): Article[] {
  const articles: Article[] = [];
  for (const { index } of visible) {
    const row = rows[index];
    if (row === undefined) continue;
    const last = articles.at(-1);
    if (last?.key === row.itemKey) last.rows.push({ row, index });
    else articles.push({ key: row.itemKey, rows: [{ row, index }] });
  }
  return articles;
}
