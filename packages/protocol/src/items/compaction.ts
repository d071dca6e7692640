/** The point at which older history was folded into the chat's summary (MARK-1). */
import { itemOf } from './common.ts';

export const CompactionItem = itemOf('compaction', {}).meta({ id: 'CompactionItem' });
