/** The small types of which all resources are made. */
import { z } from 'zod';

export const Id = z.uuid().describe('UUID. Chats, turns and messages are UUIDv7: they sort by time.');
export const Timestamp = z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds.');
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;
/** The name of a shelf: chats and books of one shelf belong together. */
export const ShelfName = z.string().min(1).max(200);
export const ChatTitle = z.string().min(1).max(500);

/** Tokens are never negative and never fractions. */
export const Tokens = z.int().min(0);
/** US dollars. Null where the price of the model is unknown: never 0 instead. */
export const Cost = z.number().min(0).nullable();

/** The name by which its owner knows a machine. It stands in prompts and labels: on one line, with nothing hidden in it. */
export const MachineName = z
  .string()
  .min(1)
  .max(100)
  .refine(name => name === name.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name), 'expected words on one line')
  .describe('The name of a machine that stands by: on one line, with nothing in it that is not seen.');
/** The id that a client has chosen for itself. */
export const ClientId = z.string().min(1).max(200);

export const WorkdirOn = z.enum(['client', 'server']).describe('On which machine workdir applies.');
