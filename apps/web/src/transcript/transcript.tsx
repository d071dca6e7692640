import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import type { Outgoing } from '../kernel/open-chat.ts';
import { Icon } from '../parts/icon.tsx';
import { findMessageId, findNewModels, type Row } from '../rows/rows.ts';
import { ArticleView, groupArticles } from './article-view.tsx';
import type { ItemActions } from './item-bar.tsx';
import { Sending } from './sending.tsx';
import { useEnd } from './use-end.ts';

const FindBar = lazy(() => import('./find-bar.tsx'));

interface TranscriptProps {
  rows: readonly Row[];
  outgoing: readonly Outgoing[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onOlder(): void;
  /** The message to scroll to. Null: the newest. */
  target: string | null;
  /** True while a turn runs. */
  isLive: boolean;
  actions: ItemActions;
  /** While the page prints, all rows are rendered. */
  isPrinting: boolean;
  /** How often the find bar was opened. 0: it is closed. */
  finding: number;
  onFindEnd(): void;
  /** Content below the last item. */
  children: ReactNode;
}

/** Distance from the top, in pixels, at which older messages are loaded. */
const NEAR_TOP = 1500;

export function Transcript(props: TranscriptProps) {
  const {
    rows,
    outgoing,
    hasOlder,
    isLoadingOlder,
    onOlder,
    target,
    isLive,
    actions,
    isPrinting,
    finding,
    children,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const end = useEnd(scroller, isLive);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: index => estimate(rows[index]),
    overscan: 6,
    anchorTo: 'end',
    // The list corrects the position when rows measure smaller than estimated.
    scrollToFn(...how) {
      elementScroll(...how);
      end.hold();
    },
    // Scrolling needs no synchronous render, because the rows around the visible ones are already rendered.
    useFlushSync: false,
    paddingStart: 24,
    paddingEnd: 24,
  });
  const found = target === null ? -1 : rows.findIndex(({ item }) => findMessageId(item) === target);
  useTarget(list, target, found, end.leave);
  // Scroll to a sent message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each sent message
  useEffect(() => {
    if (outgoing.length > 0) end.goToEnd();
  }, [outgoing.length]);
  const look = () => {
    // On paper, nothing scrolls.
    if (isPrinting) return;
    end.look();
    if ((scroller.current?.scrollTop ?? 0) < NEAR_TOP && hasOlder && !isLoadingOlder) onOlder();
  };
  // Load older messages if the loaded ones do not fill the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when rows were added
  useEffect(look, [rows.length, isLoadingOlder]);
  const newModels = useMemo(() => findNewModels(rows), [rows]);
  const visible = list.getVirtualItems();
  const above = isPrinting ? 0 : (visible[0]?.start ?? 0);
  const below = isPrinting ? 0 : list.getTotalSize() - (visible.at(-1)?.end ?? 0);
  const indexes = isPrinting ? rows.keys() : visible.map(({ index }) => index);
  return (
    <div className="transcript">
      <div
        ref={scroller}
        className="scroller"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        onScroll={look}
      >
        <div className="column">
          <div className="spacer" style={{ height: above }}>
            {isLoadingOlder ? <p className="loading">Loading older messages…</p> : null}
          </div>
          {isPrinting && hasOlder ? (
            <p className="hint">The older messages of this chat are not printed.</p>
          ) : null}
          {groupArticles(rows, indexes).map(article => (
            <ArticleView
              key={article.key}
              article={article}
              isTarget={article.rows.some(({ index }) => index === found)}
              newModel={newModels.get(article.key)}
              // Rows on paper have other sizes.
              measure={isPrinting ? ignore : list.measureElement}
              actions={actions}
            />
          ))}
          <div className="spacer" style={{ height: Math.max(0, below) }} />
          <Sending outgoing={outgoing} />
          {children}
        </div>
      </div>
      {finding > 0 ? (
        <Suspense fallback={null}>
          <FindBar
            opened={finding}
            rows={rows}
            hasOlder={hasOlder}
            isLoadingOlder={isLoadingOlder}
            onOlder={onOlder}
            scroller={scroller}
            show={index => {
              end.leave();
              list.scrollToIndex(index, { align: 'center' });
            }}
            onClose={() => {
              props.onFindEnd();
              scroller.current?.focus({ preventScroll: true });
            }}
          />
        </Suspense>
      ) : null}
      {end.isHeld ? null : (
        <button type="button" className="to-end" aria-label="Jump to latest" onClick={end.goToEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

const ignore = (): void => {};

/** Scrolls to the message in the address when it is loaded. */
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

function estimate(row: Row | undefined): number {
  switch (row?.item.kind) {
    case 'agent_message':
      return 64 + Math.min(1500, row.item.text.length) * 0.3;
    case 'user_message':
      return 90 + Math.min(4000, row.item.text.length) * 0.3;
    case 'image':
      return 300;
    default:
      return 32;
  }
}
