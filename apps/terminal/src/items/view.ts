/** The settings of all views of items. */
import type { Item } from '@chat-kernel/protocol';
import { type Line, line } from '../text/line.ts';

export interface ItemView {
  /** Columns. */
  readonly width: number;
  /** Whether the terminal knows hyperlinks; see `TerminalCapabilities`. */
  readonly links: boolean;
  /** Thinking and long results are shown whole. */
  readonly expanded: boolean;
  /** Returns the icon of a tool, from GET /v1/tools; null where it is not known. */
  readonly iconOf: (tool: string) => string | null;
  /** Returns the milliseconds of a thinking item so far; null where they are not measured. */
  readonly thoughtMs: (item: Item) => number | null;
  /** Whether this machine has begun with an operation: then it waits for nobody's decision. */
  readonly isBegun: (opId: string) => boolean;
  /** Completes an address of the kernel (`/images/<id>`), so that it can be opened. */
  readonly addressOf: (url: string) => string;
}

export const DEFAULT_VIEW: Omit<ItemView, 'width'> = {
  links: false,
  expanded: false,
  iconOf: () => null,
  thoughtMs: () => null,
  isBegun: () => false,
  addressOf: url => url,
};

/** How many lines to show of so many: the note that one is hidden would take the room of that one. */
export const shownOf = (all: number, rows: number | null): number =>
  rows === null || all <= rows + 1 ? all : rows;

/** Returns `… 120 more lines`. */
export const moreLines = (hidden: number): Line =>
  line(`… ${hidden} more line${hidden === 1 ? '' : 's'}`, { dim: true });
