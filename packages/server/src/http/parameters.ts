/** Parameters of addresses and queries that several routes share. */
import { Id } from '@chat-kernel/protocol';
import { z } from 'zod';

export const ChatParams = z.object({ id: Id.describe('The chat.') });
export const Limit = z.coerce.number().int().min(1).max(500).default(50).describe('At most so many.');

/** Query value `true` or `false`; absent is false. */
export const Switch = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true');
