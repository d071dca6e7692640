/** Defines the items of a running turn. */
import type { StoredBlock } from '../ports/index.ts';

/** An item of the running turn, as returned by the feed. */
export interface LiveItem {
  readonly id: string;
  readonly block: StoredBlock;
  readonly created_at: string;
}

/** A block that grows while the model writes it. */
export type StreamedBlock = Extract<StoredBlock, { type: 'text' | 'thinking' }>;
