/** The items of a turn that runs. */
import type { StoredBlock } from '../ports/index.ts';

/** An item of the running turn, as the feed handed it out. */
export interface LiveItem {
  readonly id: string;
  readonly block: StoredBlock;
  readonly created_at: string;
}

/** A block that grows while the model writes it. */
export type StreamedBlock = Extract<StoredBlock, { type: 'text' | 'thinking' }>;
