/** Defines the basic types of all resources. */
import { z } from 'zod';

export const Id = z.uuid().describe('UUID. Chats, turns and messages are UUIDv7: they sort by time.');
export const Timestamp = z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds.');
/** A time as clients send it: in any zone, with or without a fraction of a second. */
export const TimeInput = z.iso.datetime({ offset: true }).refine(time => {
  // No time is longer, and a date is searched in a long text for long.
  if (time.length > 100) return false;
  // Outside of these years, UTC times do not have four-digit years, and do not sort correctly as text.
  const year = new Date(time).getUTCFullYear();
  return !(year < 0 || year > 9998);
}, 'expected a year from 0000 to 9998, in UTC');
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;
/** The name of a shelf: chats and books of one shelf belong together. */
export const ShelfName = z.string().min(1).max(200);
export const ChatTitle = z.string().min(1).max(500);

/** Token counts are never negative and never fractions. */
export const Tokens = z.int().min(0);
/** US dollars. Null if the price of the model is unknown, never 0. */
export const Cost = z.number().min(0).nullable();

/**
 * The name of a machine for its owner. It appears in prompts and labels, so it is a single line without invisible
 * characters.
 */
export const MachineName = z
  .string()
  .min(1)
  // Then the second check does not read a long text.
  .max(64, { abort: true })
  .refine(name => name === name.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name), 'expected text on one line')
  .describe('The name of a connected machine: one line without invisible characters.');
/** The id that a client has chosen for itself. */
export const ClientId = z.string().min(1).max(200);

export const WorkdirOn = z.enum(['client', 'server']).describe('The machine on which workdir applies.');

export const Anchor = z
  .object({
    chat_id: z.int(),
    message_id: z.int(),
    module: z
      .string()
      .min(1)
      .max(32)
      .optional()
      .describe(
        'The name of the module that sets it; only that module receives it. Absent: all modules that never set a named anchor receive it.',
      ),
  })
  .meta({ id: 'Anchor' });
export type Anchor = z.infer<typeof Anchor>;
