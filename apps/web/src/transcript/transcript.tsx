/**
 * The conversation. Only the rows in view are in the page; they stand in the flow between two spacers, so that a row
 * which grows moves nothing above it. Whoever reads at the end stays there; whoever reads elsewhere is not moved.
 */
import type { Item } from '@chat-kernel/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Outgoing } from '../kernel/open-chat.ts';
import { Icon } from '../parts/icon.tsx';
import type { Row } from '../rows/rows.ts';
import { ArticleView } from './article-view.tsx';
import { articlesOf } from './articles.ts';
import type { ItemActions } from './item-actions.ts';
import { Sending } from './sending.tsx';

interface TranscriptProps {
  rows: readonly Row[];
  outgoing: readonly Outgoing[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onOlder(): void;
  /** The message to begin at; null: the newest. */
  target: string | null;
  actions: ItemActions;
  /** What stands below the last item. */
  children: ReactNode;
}

/** Pixels above the oldest row at which the page before is read. */
const NEAR_TOP = 800;
const NEAR_END = 60;

export function Transcript(props: TranscriptProps) {
  const { rows, outgoing, hasOlder, isLoadingOlder, onOlder, target, actions, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: index => estimate(rows[index]),
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    paddingStart: 24,
    paddingEnd: 24,
  });
  const [isAtEnd, setAtEnd] = useState(true);
  const found = target === null ? -1 : rows.findIndex(({ item }) => messageOf(item) === target);
  useBeginning(list, rows.length, target, found);
  const look = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END);
    if (scrollTop < NEAR_TOP && hasOlder && !isLoadingOlder) onOlder();
  };
  // A short page leaves room for the one before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever rows came
  useEffect(look, [rows.length, isLoadingOlder]);
  const visible = list.getVirtualItems();
  const above = visible[0]?.start ?? 0;
  const below = list.getTotalSize() - (visible.at(-1)?.end ?? 0);
  return (
    <div className="transcript">
      <div
        ref={scroller}
        className="scroller"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={look}
      >
        <div className="column">
          <div className="spacer" style={{ height: above }}>
            {isLoadingOlder ? <p className="loading">Reading older messages …</p> : null}
          </div>
          {articlesOf(visible, rows).map(article => (
            <ArticleView
              key={article.key}
              article={article}
              isTarget={article.rows.some(({ index }) => index === found)}
              measure={list.measureElement}
              actions={actions}
            />
          ))}
          <div className="spacer" style={{ height: Math.max(0, below) }} />
          <Sending outgoing={outgoing} />
          {children}
        </div>
      </div>
      {isAtEnd ? null : (
        <button
          type="button"
          className="to-end"
          aria-label="To the newest"
          onClick={() => list.scrollToEnd()}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

/** Begins at the newest row, or at the message of the address once it is there. */
function useBeginning(
  list: { scrollToIndex(index: number, how: { align: 'start' | 'end' }): void },
  count: number,
  target: string | null,
  found: number,
): void {
  const begun = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (count === 0 || begun.current === target) return;
    if (target !== null && found < 0) return;
    begun.current = target;
    list.scrollToIndex(found < 0 ? count - 1 : found, { align: found < 0 ? 'end' : 'start' });
  });
}

/** The message that an item of the history is a part of. */
const messageOf = (item: Item): string =>
  item.kind === 'user_message' ? item.message_id : (item.id.split(':')[0] ?? '');

function estimate(row: Row | undefined): number {
  switch (row?.item.kind) {
    case 'agent_message':
      return 48 + Math.min(1500, row.item.text.length) * 0.3;
    case 'user_message':
      return 72 + Math.min(4000, row.item.text.length) * 0.3;
    case 'image':
      return 300;
    default:
      return 32;
  }
}
