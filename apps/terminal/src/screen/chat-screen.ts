/**
 * The whole screen of a chat. Finished items go to the terminal's own scrollback, once. Below them stands the part that is
 * redrawn: the open answer, the plan, the activity, the input or a dialog, the status line.
 */
import type { Item, PlanTask } from '@chat-kernel/protocol';
import { Box, Static, useCursor, useStdout, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import type { Dialog } from '../dialogs/dialog.ts';
import { DEFAULT_VIEW, type ItemView } from '../items/view.ts';
import type { Status } from '../status/status-line.ts';
import type { TerminalCapabilities } from '../text/paint.ts';
import { type PrintedChunk, Scrollback } from '../transcript/scrollback.ts';
import { compose, inputWidth } from './compose.ts';
import { DialogView } from './dialog-view.ts';
import { h, renderLines } from './element.ts';
import { useClock } from './use-clock.ts';
import { useImages } from './use-images.ts';
import { type InputProps, typedEarly, useInputLine } from './use-input-line.ts';

export interface ChatScreenProps extends Omit<InputProps, 'onExpand' | 'onRedraw'> {
  /** Names the chat and its past: with another key the screen begins anew. */
  chatKey: string;
  /** The history and the running turn, the oldest first. */
  items: readonly Item[];
  /** Shown above the input until it is closed, that is empty. */
  plan: readonly PlanTask[];
  status: Status;
  dialog: Dialog | null;
  placeholder: string;
  capabilities: TerminalCapabilities;
  view?: Partial<Pick<ItemView, 'iconOf' | 'thoughtMs' | 'isBegun' | 'addressOf'>>;
  /** Loads the bytes of an image, for terminals that draw images; absent: images are links. */
  imageBytes?: (item: Extract<Item, { kind: 'image' }>) => Promise<Uint8Array | null>;
  /** Returns milliseconds since 1970; default `Date.now`. */
  clock?: () => number;
}

/** Moves to the top left corner and clears what is below; the scrollback stays. */
const CLEAR = '\u001b[H\u001b[J';

interface Page {
  key: string;
  chatKey: string;
  view: ItemView;
  scrollback: Scrollback;
  /** Lines that were on the screen when the page began; it prints them again. */
  head: PrintedChunk[];
  /** The index of the first chunk after the head. */
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
  // Printed lines have the page's width, expanded or not; only a new page prints otherwise.
  const live = page.scrollback.advance(props.items, {
    ...view,
    width: page.view.width,
    expanded: page.view.expanded,
  });

  useEffect(() => {
    if (page.key === key) return;
    const next = openPage(key, props.chatKey, view);
    const unfinished = next.scrollback.advance(props.items, view);
    const kept =
      page.chatKey !== props.chatKey
        ? null
        : Math.max(1, rows - FRAME_ROWS - Math.min(unfinished.length, rows >> 1));
    write(CLEAR);
    setPage({ ...next, ...printedPart(next.scrollback.chunks, kept) });
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
  const frame = compose(live, { ...props, menu, dialog: props.dialog !== null }, { columns, rows }, now());
  setCursorPosition(frame.cursor ?? undefined);

  const printed = useStaticChunks(page);
  return h(
    Box,
    { flexDirection: 'column' },
    h(Static<PrintedChunk>, {
      key: page.key,
      items: printed,
      children: chunk => renderLines(chunk.lines, props.capabilities, chunk.key),
    }),
    renderLines(frame.above, props.capabilities),
    props.dialog === null
      ? renderLines(frame.input, props.capabilities)
      : h(DialogView, {
          dialog: props.dialog,
          frame: {
            width: columns,
            rows: frame.dialog,
            capabilities: props.capabilities,
            commands: props.commands,
            clock: props.clock ?? Date.now,
            onEarly: press => props.onEdit(state => typedEarly(state, press, inputWidth(columns))),
          },
        }),
    renderLines(frame.status, props.capabilities),
  );
}

/** Rows that the input and the status line take at least. */
const FRAME_ROWS = 4;

const openPage = (key: string, chatKey: string, view: ItemView): Page => ({
  key,
  chatKey,
  view,
  scrollback: new Scrollback(),
  head: [],
  from: 0,
});

/**
 * Returns the lines to print again on a cleared screen: as many as were on it, for the others are in the scrollback.
 * @param rows null prints all, for another chat
 */
function printedPart(chunks: readonly PrintedChunk[], rows: number | null): Pick<Page, 'head' | 'from'> {
  const lines = chunks.flatMap(chunk => chunk.lines);
  const shown = rows === null ? lines : lines.slice(-rows);
  return { head: shown.length === 0 ? [] : [{ key: 'again', lines: shown }], from: chunks.length };
}

/** Ink prints the new entries of a new list, while the list of the scrollback grows in place. */
function useStaticChunks({ head, from, scrollback }: Page): PrintedChunk[] {
  const count = scrollback.chunks.length;
  return useMemo(() => [...head, ...scrollback.chunks.slice(from, count)], [head, from, scrollback, count]);
}
