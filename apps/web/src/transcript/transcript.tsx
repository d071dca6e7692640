/**
 * The conversation. Only the rows in view are in the page; they stand in the flow between two spacers, so that a row
 * which grows moves nothing above it. Whoever reads at the end stays there; whoever reads elsewhere is not moved.
 */
import type { Item } from '@chat-kernel/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { Outgoing } from '../kernel/open-chat.ts';
import { Icon } from '../parts/icon.tsx';
import type { Row } from '../rows/rows.ts';
import { ArticleView } from './article-view.tsx';
import { articlesOf } from './articles.ts';
import type { ItemActions } from './item-actions.ts';
import { Sending } from './sending.tsx';
import { useEnd } from './use-end.ts';

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
    // A frame that scrolls is drawn with the next one: the rows around those in sight are there already.
    useFlushSync: false,
    paddingStart: 24,
    paddingEnd: 24,
  });
  const end = useEnd(scroller);
  const found = target === null ? -1 : rows.findIndex(({ item }) => messageOf(item) === target);
  useTarget(list, target, found, end.leave);
  // Whoever sends wants to see it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message that goes out
  useEffect(() => {
    if (outgoing.length > 0) end.goToEnd();
  }, [outgoing.length]);
  const look = () => {
    end.look();
    if ((scroller.current?.scrollTop ?? 0) < NEAR_TOP && hasOlder && !isLoadingOlder) onOlder();
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
      {end.isAtEnd ? null : (
        <button type="button" className="to-end" aria-label="To the newest" onClick={end.goToEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

/** Goes to the message of the address, once it is there. */
function useTarget(
  list: { scrollToIndex(index: number, how: { align: 'start' }): void },
  target: string | null,
  found: number,
  leave: () => void,
): void {
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (target === null || found < 0 || done.current === target) return;
    done.current = target;
    leave();
    list.scrollToIndex(found, { align: 'start' });
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
