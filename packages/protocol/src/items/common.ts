/** Defines the common fields of all items (ITEM-1). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

export const ItemStatus = z.enum(['running', 'completed', 'failed', 'aborted']).meta({ id: 'ItemStatus' });
export type ItemStatus = z.infer<typeof ItemStatus>;

/** An item of one kind: the fields of all items, and those of this kind. */
export const itemSchema = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({
    id: z.string().describe('{message_id}:{n} in history, {turn_id}:{n} in a live turn.'),
    kind: z.literal(kind),
    status: ItemStatus,
    turn_id: Id.nullable().describe('Groups the items of one turn. Null for items without a turn.'),
    created_at: Timestamp,
    ...shape,
  });
