/**
 * Draws the screen of a chat. Finished items are printed once to the terminal's scrollback. The part below is redrawn:
 * the unfinished answer, the plan, the activity, the input or a dialog, and the status line.
 */
import type { Item, PlanTask } from '@chat-kernel/protocol';
import { Box, Static, useCursor, useStdout, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import type { Dialog } from '../dialogs/dialog.ts';
import { DEFAULT_VIEW, type ItemView } from '../items/view.ts';
import type { Status, TurnState } from '../status/status-line.ts';
import type { TerminalCapabilities } from '../text/paint.ts';
import { type PrintedChunk, Scrollback } from '../transcript/scrollback.ts';
import { compose, inputWidth } from './compose.ts';
import { DialogView } from './dialog-view.ts';
import { h, renderLines } from './element.ts';
import { imageSequence } from './image-sequence.ts';
import { type InputProps, typedEarly, useInputLine } from './use-input-line.ts';

const TICK_MS = 200;
/** The turns whose running time is shown. */
const COUNTED: readonly TurnState['state'][] = ['running', 'compacting', 'provider_wait'];

/** Timer that redraws the screen while it shows running times. */
function useClock({ turn, connection }: Status, clock: () => number): () => number {
  const [, redraw] = useState(0);
  const drawn = useRef(0);
  drawn.current = performance.now();
  const counts = COUNTED.includes(turn.state) || connection.state === 'reconnecting';
  useEffect(() => {
    if (!counts) return;
    // Any redraw restarts the timer.
    const timer = setInterval(() => {
      if (performance.now() - drawn.current >= TICK_MS * 0.75) redraw(ticks => ticks + 1);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  return clock;
}

export interface ChatScreenProps extends Omit<InputProps, 'onExpand' | 'onRedraw'> {
  /** Identifies the chat and its history. A new key clears the screen. */
  chatKey: string;
  /** The history and the running turn, oldest first. */
  items: readonly Item[];
  /** Shown above the input until the plan is closed, that is, empty. */
  plan: readonly PlanTask[];
  status: Status;
  dialog: Dialog | null;
  placeholder: string;
  capabilities: TerminalCapabilities;
  view?: Partial<Pick<ItemView, 'iconOf' | 'isBegun' | 'addressOf'>>;
  /** Loads the bytes of an image, for terminals that draw images. If absent, images are links. */
  imageBytes?: (item: Extract<Item, { kind: 'image' }>) => Promise<Uint8Array | null>;
  /** Returns milliseconds since 1970; default `Date.now`. */
  clock?: () => number;
}

/** Moves to the top left corner and clears the screen, but not the scrollback. */
const CLEAR = '\u001b[H\u001b[J';

interface Page {
  key: string;
  chatKey: string;
  view: ItemView;
  scrollback: Scrollback;
  /** Lines that were on the screen when the page began. They are printed again. */
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
  // Printed lines keep the width and expansion of their page. A change needs a new page.
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

/** Minimum rows of the input and the status line. */
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
 * Returns the lines to print again on a cleared screen. Earlier lines are still in the scrollback.
 * @param rows null prints all, for another chat
 */
function printedPart(chunks: readonly PrintedChunk[], rows: number | null): Pick<Page, 'head' | 'from'> {
  const lines = chunks.flatMap(chunk => chunk.lines);
  const shown = rows === null ? lines : lines.slice(-rows);
  return { head: shown.length === 0 ? [] : [{ key: 'again', lines: shown }], from: chunks.length };
}

/** Ink only prints the new entries of a new list, but the scrollback list grows in place. */
function useStaticChunks({ head, from, scrollback }: Page): PrintedChunk[] {
  const count = scrollback.chunks.length;
  return useMemo(() => [...head, ...scrollback.chunks.slice(from, count)], [head, from, scrollback, count]);
}

type ImageItem = Extract<Item, { kind: 'image' }>;

/** Draws images that arrive while the screen is open, if the terminal can. Their links are always printed. */
function useImages(
  items: readonly Item[],
  bytesOf: ((item: ImageItem) => Promise<Uint8Array | null>) | undefined,
  { images: protocol }: TerminalCapabilities,
  write: (data: string) => void,
): void {
  const images = items.filter(
    (item): item is ImageItem => item.kind === 'image' && item.status === 'completed',
  );
  // Images of the history stay links: drawing them would flood the screen at the start.
  const seen = useRef<Set<string> | null>(null);
  seen.current ??= new Set(images.map(image => image.image_id));
  useEffect(() => {
    if (protocol === null || bytesOf === undefined) return;
    for (const image of images) {
      if (seen.current!.has(image.image_id)) continue;
      seen.current!.add(image.image_id);
      bytesOf(image).then(
        bytes => {
          const sequence = bytes === null ? null : imageSequence(bytes, image.media_type, protocol);
          if (sequence !== null) write(sequence);
        },
        // The link is already on the screen.
        () => undefined,
      );
    }
  });
}
