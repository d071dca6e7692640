/** How items are to be drawn: what all their views have in common. */
import type { Item } from '@chat-kernel/protocol';
import { type Line, line } from '../text/line.ts';

export interface ItemView {
  /** Columns. */
  readonly width: number;
  /** Whether the terminal knows hyperlinks; see `Capabilities`. */
  readonly links: boolean;
  /** Thinking and long results are shown whole. */
  readonly expanded: boolean;
  /** The icon of a tool, of GET /v1/tools; null where it is not known. */
  readonly iconOf: (tool: string) => string | null;
  /** Milliseconds that a thinking item took, or takes so far; null where nobody measured. */
  readonly thoughtMs: (item: Item) => number | null;
  /** An address of the kernel (`/images/<id>`) as one that can be opened. */
  readonly addressOf: (url: string) => string;
}

export const DEFAULT_VIEW: Omit<ItemView, 'width'> = {
  links: false,
  expanded: false,
  iconOf: () => null,
  thoughtMs: () => null,
  addressOf: url => url,
};

/** `… 120 more lines`. */
export const moreLines = (hidden: number): Line =>
  line(`… ${hidden} more line${hidden === 1 ? '' : 's'}`, { dim: true });
