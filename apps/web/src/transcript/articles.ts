/** Groups rows into articles. */
import type { Row } from '../rows/rows.ts';

export interface PlacedRow {
  row: Row;
  /** In the list of rows. Negative: an older row, which is only printed. */
  index: number;
}

export interface Article {
  key: string;
  rows: PlacedRow[];
}

export function groupArticles(rows: readonly PlacedRow[]): Article[] {
  const articles: Article[] = [];
  for (const placed of rows) {
    const last = articles.at(-1);
    if (last?.key === placed.row.itemKey) last.rows.push(placed);
    else articles.push({ key: placed.row.itemKey, rows: [placed] });
  }
  return articles;
}
