/** An item with its menu, or those pieces of it that are in view. */
import { memo } from 'react';
import { shortTime, wholeTime } from '../base/times.ts';
import { classes } from '../base/words.ts';
import { ItemView } from '../items/item-view.tsx';
import { wordsOf } from '../items/item-words.ts';
import { useKernel } from '../kernel/context.ts';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import type { Row } from '../rows/rows.ts';
import type { Article } from './articles.ts';
import type { ItemActions } from './item-actions.ts';

interface ArticleViewProps {
  article: Article;
  /** The address names it. */
  isTarget: boolean;
  measure(element: HTMLElement | null): void;
  actions: ItemActions;
}

export const ArticleView = memo(function ArticleView({
  article: { rows },
  isTarget,
  measure,
  actions,
}: ArticleViewProps) {
  const { notices, speaker, voice } = useKernel();
  const { item } = rows[0]!.row;
  const copy = () =>
    void navigator.clipboard
      .writeText(wordsOf(item).text(item))
      .then(() => notices.say('Copied.'), notices.fail);
  const readings = (): MenuEntry[] => {
    if (item.kind !== 'agent_message' || voice.get()?.speech.default_model == null) return [];
    if (speaker.reading.get() === item.id) {
      return [{ label: 'Stop playing', icon: 'stop', onPick: speaker.stop }];
    }
    return [{ label: 'Play', icon: 'play', onPick: () => void speaker.read(item.id, item.text) }];
  };
  const entries = (): MenuEntry[] => [
    { label: 'Copy', icon: 'copy', onPick: copy },
    ...readings(),
    { label: 'Fork from here', icon: 'fork', onPick: () => actions.onFork(item) },
    { label: 'Rewind to here', icon: 'back', onPick: () => actions.onRewind(item), danger: true },
  ];
  return (
    <article
      className={classes('item', item.kind, isTarget && 'target')}
      aria-label={wordsOf(item).name}
      data-kind={item.kind}
      data-status={item.status}
      data-item-id={item.id}
    >
      {rows.map(({ row, index }) => (
        <div
          key={row.key}
          // What still grows is measured once it stands: it is last, and nothing depends on its height before.
          ref={isGrowing(row) ? undefined : measure}
          data-index={index}
          className={classes('row', row.isFirst && 'first')}
        >
          <ItemView row={row} onTakeBack={actions.onTakeBack} />
        </div>
      ))}
      <div className="item-menu">
        <time dateTime={item.created_at} title={wholeTime(item.created_at)}>
          {shortTime(item.created_at)}
        </time>
        <Menu label="Actions" entries={entries} />
      </div>
    </article>
  );
}, isSame);

/** The article is made anew for each frame, its rows are not. */
function isSame(before: ArticleViewProps, after: ArticleViewProps): boolean {
  const [old, fresh] = [before.article.rows, after.article.rows];
  return (
    before.isTarget === after.isTarget &&
    before.actions === after.actions &&
    old.length === fresh.length &&
    old.every(({ row, index }, at) => row === fresh[at]?.row && index === fresh[at]?.index)
  );
}

const isGrowing = ({ item, isLast }: Row): boolean =>
  isLast && item.kind === 'agent_message' && item.status === 'running';
