/** An item, or its visible pieces. Its actions are below its last piece. */
import { memo } from 'react';
import { classes } from '../base/text.ts';
import { findItemLabels } from '../items/item-labels.ts';
import { ItemView } from '../items/item-view.tsx';
import type { Row } from '../rows/rows.ts';
import { type ItemActions, ItemBar } from './item-bar.tsx';

interface ArticleViewProps {
  article: Article;
  /** True if the address links to this item. */
  isTarget: boolean;
  /** The model of the answer, if the answer before it has another one. */
  newModel: string | undefined;
  measure(element: HTMLElement | null): void;
  actions: ItemActions;
}

export const ArticleView = memo(function ArticleView({
  article: { rows },
  isTarget,
  newModel,
  measure,
  actions,
}: ArticleViewProps) {
  const { item } = rows[0]!.row;
  return (
    <article
      className={classes('item', item.kind, isTarget && 'target')}
      aria-label={findItemLabels(item).name}
      data-kind={item.kind}
      data-status={item.status}
      data-item-id={item.id}
    >
      {rows.map(({ row, index }) => (
        <div
          key={row.key}
          // A growing row is last, and nothing depends on its height, so it is measured when it is complete.
          ref={isGrowing(row) ? undefined : measure}
          data-index={index}
          className={classes('row', row.isFirst && 'first')}
        >
          {row.isFirst && newModel !== undefined ? <ModelChange model={newModel} /> : null}
          <ItemView row={row} onTakeBack={actions.onTakeBack} />
          {row.isLast ? <ItemBar item={row.item} actions={actions} /> : null}
        </div>
      ))}
    </article>
  );
}, isSame);

/** Compares rows, because the article object is new in each frame. */
function isSame(before: ArticleViewProps, after: ArticleViewProps): boolean {
  const [old, fresh] = [before.article.rows, after.article.rows];
  return (
    before.isTarget === after.isTarget &&
    before.newModel === after.newModel &&
    before.actions === after.actions &&
    before.measure === after.measure &&
    old.length === fresh.length &&
    old.every(({ row, index }, at) => row === fresh[at]?.row && index === fresh[at]?.index)
  );
}

const isGrowing = ({ item, isLast }: Row): boolean =>
  isLast && item.kind === 'agent_message' && item.status === 'running';

/** A line above the first answer of another model. */
const ModelChange = ({ model }: { model: string }) => (
  <p className="model-change">
    <span>Model changed to {model}</span>
  </p>
);

interface Article {
  key: string;
  /** With their indexes in the list of rows. */
  rows: { row: Row; index: number }[];
}

/** Groups the rows with these indexes into articles. */
export function groupArticles(rows: readonly Row[], indexes: Iterable<number>): Article[] {
  const articles: Article[] = [];
  for (const index of indexes) {
    const row = rows[index];
    if (row === undefined) continue;
    const last = articles.at(-1);
    if (last?.key === row.itemKey) last.rows.push({ row, index });
    else articles.push({ key: row.itemKey, rows: [{ row, index }] });
  }
  return articles;
}
