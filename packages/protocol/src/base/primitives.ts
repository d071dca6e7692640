/** The small types that every resource is made of. */
import { z } from 'zod';

export const Id = z.uuid().describe('UUID. Chats, turns and messages are UUIDv7: they sort by time.');
export const Timestamp = z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds.');
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** Tokens are never negative and never fractions. */
export const Tokens = z.int().min(0);
/** US dollars. Null where the price of the model is unknown: never 0 instead. */
export const Cost = z.number().min(0).nullable();
