/** Defines the point at which older history was compacted into the chat's summary (MARK-1). */
import { itemSchema } from './common.ts';

export const CompactionItem = itemSchema('compaction', {}).meta({ id: 'CompactionItem' });
