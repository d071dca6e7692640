/**
 * The whole screen of a chat. What is finished goes to the terminal's own scrollback, once; below it stands what
 * lives: the open answer, the plan, what goes on, the input or a dialog, the status.
 */
import type { Item, PlanTask } from '@chat-kernel/protocol';
import { Box, Static, useCursor, useStdout, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { DEFAULT_VIEW, type ItemView } from '../items/view.ts';
import type { Status } from '../status/status-line.ts';
import type { Capabilities } from '../text/paint.ts';
import { type Chunk, Scroll } from '../transcript/scrollback.ts';
import { compose, inputWidth } from './compose.ts';
import { type Dialog, DialogView } from './dialog-view.ts';
import { drawn, h } from './element.ts';
import { useClock } from './use-clock.ts';
import { useImages } from './use-images.ts';
import { type InputProps, typedEarly, useInputLine } from './use-input-line.ts';

export interface ChatScreenProps extends Omit<InputProps, 'onExpand' | 'onRedraw'> {
  /** Which chat this is, and which past of it: with another key the screen begins anew. */
  chatKey: string;
  /** The history that is shown and the running turn, the oldest first. */
  items: readonly Item[];
  /** Stands above the input until it is closed, that is empty. */
  plan: readonly PlanTask[];
  status: Status;
  dialog: Dialog | null;
  placeholder: string;
  capabilities: Capabilities;
  view?: Partial<Pick<ItemView, 'iconOf' | 'thoughtMs' | 'addressOf'>>;
  /** The bytes of an image for terminals that draw it; absent: images are links. */
  imageBytes?: (item: Extract<Item, { kind: 'image' }>) => Promise<Uint8Array | null>;
  /** Milliseconds since 1970; tests give one of their own. */
  clock?: () => number;
}

/** To the top left corner, and nothing below it: the scrollback stays. */
const CLEAR = '\u001b[H\u001b[J';

interface Page {
  key: string;
  chatKey: string;
  view: ItemView;
  scroll: Scroll;
  /** What was printed when the page began, as far as the screen holds it; later chunks come after it. */
  head: Chunk[];
  from: number;
}

export function ChatScreen(props: ChatScreenProps): ReactElement {
  const { columns, rows } = useWindowSize();
  const { write } = useStdout();
  const { setCursorPosition } = useCursor();
  const [expanded, setExpanded] = useState(false);
  const [redrawn, setRedrawn] = useState(0);
  const now = useClock(props.status, props.clock ?? Date.now);

  const view: ItemView = {
    ...DEFAULT_VIEW,
    ...props.view,
    width: columns,
    expanded,
    links: props.capabilities.links,
  };
  const key = `${props.chatKey} ${columns} ${expanded} ${redrawn}`;
  const [page, setPage] = useState<Page>(() => openPage(key, props.chatKey, view));
  // What is printed was printed for the page's width and folding; only a new page prints otherwise.
  const live = page.scroll.advance(props.items, {
    ...view,
    width: page.view.width,
    expanded: page.view.expanded,
  });

  useEffect(() => {
    if (page.key === key) return;
    const next = openPage(key, props.chatKey, view);
    const open = next.scroll.advance(props.items, view);
    const kept =
      page.chatKey !== props.chatKey
        ? null
        : Math.max(1, rows - FRAME_ROWS - Math.min(open.length, rows >> 1));
    write(CLEAR);
    setPage({ ...next, ...printedPart(next.scroll.chunks, kept) });
  });
  useImages(props.items, props.imageBytes, props.capabilities, write);

  const menu = useInputLine(
    {
      ...props,
      onExpand: () => setExpanded(before => !before),
      onRedraw: () => setRedrawn(before => before + 1),
    },
    inputWidth(columns),
    props.dialog === null,
  );
  const parts = compose(live, { ...props, menu, dialog: props.dialog !== null }, { columns, rows }, now());
  setCursorPosition(parts.cursor ?? undefined);

  const printed = useStaticChunks(page);
  return h(
    Box,
    { flexDirection: 'column' },
    h(Static<Chunk>, {
      key: page.key,
      items: printed,
      children: chunk => drawn(chunk.lines, props.capabilities, chunk.key),
    }),
    drawn(parts.above, props.capabilities),
    props.dialog === null
      ? drawn(parts.input, props.capabilities)
      : h(DialogView, {
          dialog: props.dialog,
          frame: {
            width: columns,
            rows: parts.dialog,
            capabilities: props.capabilities,
            commands: props.commands,
            clock: props.clock ?? Date.now,
            onEarly: press => props.onEdit(state => typedEarly(state, press, inputWidth(columns))),
          },
        }),
    drawn(parts.status, props.capabilities),
  );
}

/** Rows that input and status take at least. */
const FRAME_ROWS = 4;

const openPage = (key: string, chatKey: string, view: ItemView): Page => ({
  key,
  chatKey,
  view,
  scroll: new Scroll(),
  head: [],
  from: 0,
});

/**
 * What is printed again on a cleared screen: as much as was on it, for the rest is in the scrollback.
 * @param rows null prints all, for another chat
 */
function printedPart(chunks: readonly Chunk[], rows: number | null): Pick<Page, 'head' | 'from'> {
  const lines = chunks.flatMap(chunk => chunk.lines);
  const shown = rows === null ? lines : lines.slice(-rows);
  return { head: shown.length === 0 ? [] : [{ key: 'again', lines: shown }], from: chunks.length };
}

/** Ink prints what is new in this list; the list of the scroll itself grows in place. */
function useStaticChunks({ head, from, scroll }: Page): Chunk[] {
  const count = scroll.chunks.length;
  return useMemo(() => [...head, ...scroll.chunks.slice(from, count)], [head, from, scroll, count]);
}
