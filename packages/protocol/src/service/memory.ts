/** The memory: what the kernel knows in all chats, entry by entry (MEM-1). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

/** Longest entry, in characters. */
export const MAX_MEMORY_TEXT = 500;
/** Most entries. */
export const MAX_MEMORY_ENTRIES = 500;

const Text = z
  .string()
  .max(MAX_MEMORY_TEXT)
  .regex(/\S/, 'expected words')
  .trim()
  .describe('What is remembered. Space around it is left out.');

export const MemoryEntry = z
  .object({
    id: Id,
    text: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    chat_id: Id.nullable().describe(
      'The chat in which a model wrote it; null: its owner did, or the chat is gone.',
    ),
  })
  .meta({ id: 'MemoryEntry' });
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const Memory = z
  .object({
    entries: z.array(MemoryEntry).describe('The oldest first.'),
    chars: z.int().describe('Of all texts together.'),
    max_chars: z.int().describe('The setting `memory.max_chars`.'),
    tokens: z.int().describe('What telling a model all of it costs, about.'),
  })
  .meta({ id: 'Memory' });
export type Memory = z.infer<typeof Memory>;

export const AddMemory = z.object({ text: Text }).meta({ id: 'AddMemory' });
export const PatchMemory = z.object({ text: Text }).meta({ id: 'PatchMemory' });

const found_in = z
  .array(z.object({ chat_id: Id, message_id: Id }))
  .describe(
    'Messages that still say it, as far as a search finds them: the newest, and not all where there are many.',
  );

export const MemoryForgotten = z
  .object({ deleted: z.literal(true), id: Id, found_in })
  .meta({ id: 'MemoryForgotten' });
export type MemoryForgotten = z.infer<typeof MemoryForgotten>;

export const MemoryEmptied = z
  .object({ deleted: z.int().describe('How many entries there were.'), found_in })
  .meta({ id: 'MemoryEmptied' });
export type MemoryEmptied = z.infer<typeof MemoryEmptied>;
