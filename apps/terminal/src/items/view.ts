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
  /** Completes an address of the kernel (`/images/<id>`), so that it can be opened. */
  readonly addressOf: (url: string) => string;
}

export const DEFAULT_VIEW: Omit<ItemView, 'width'> = {
  links: false,
  expanded: false,
  iconOf: () => null,
  thoughtMs: () => null,
  addressOf: url => url,
};

/** Returns `… 120 more lines`. */
export const moreLines = (hidden: number): Line =>
  line(`… ${hidden} more line${hidden === 1 ? '' : 's'}`, { dim: true });
