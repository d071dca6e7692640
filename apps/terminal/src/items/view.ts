/** The settings of all views of items. */
import { type Line, line } from '../text/line.ts';

export interface ItemView {
  /** Columns. */
  readonly width: number;
  /** Whether the terminal supports hyperlinks; see `TerminalCapabilities`. */
  readonly links: boolean;
  /** Whether thinking and long results are shown in full. */
  readonly expanded: boolean;
  /** Returns the icon of a tool, from GET /v1/tools; null if unknown. */
  readonly iconOf: (tool: string) => string | null;
  /** Whether this machine has started an operation, so that it no longer waits for approval. */
  readonly isBegun: (opId: string) => boolean;
  /** Makes an address of the kernel (`/images/<id>`) absolute. */
  readonly addressOf: (url: string) => string;
}

export const DEFAULT_VIEW: Omit<ItemView, 'width'> = {
  links: false,
  expanded: false,
  iconOf: () => null,
  isBegun: () => false,
  addressOf: url => url,
};

/** Number of lines to show. A single hidden line is shown, because the note would take its place. */
export const countShownLines = (all: number, rows: number | null): number =>
  rows === null || all <= rows + 1 ? all : rows;

/** Returns `… 120 more lines`. */
export const moreLines = (hidden: number): Line =>
  line(`… ${hidden} more line${hidden === 1 ? '' : 's'}`, { dim: true });
