/** Defines the API schemas of the memory: what the kernel remembers across all chats, entry by entry (MEM-1). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

/** Longest entry, in characters. */
export const MAX_MEMORY_TEXT = 500;
export const MAX_MEMORY_ENTRIES = 500;
export const MAX_PROPOSALS = 100;

const Text = z
  .string()
  .max(MAX_MEMORY_TEXT)
  .regex(/\S/, 'expected text')
  .trim()
  .describe('The text of the memory. Surrounding white space is removed.');

export const MemoryEntry = z
  .object({
    id: Id,
    text: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    chat_id: Id.nullable().describe(
      'The chat in which a model wrote it. Null: written by the owner, or the chat was deleted.',
    ),
  })
  .meta({ id: 'MemoryEntry' });
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const MemoryProposal = z
  .object({
    id: Id.describe('Also the id of the memory, once it is accepted.'),
    text: z.string(),
    created_at: Timestamp,
    proposed: z.literal(true),
    replaces: Id.nullable().describe('The memory that the text is to replace; null: it is a new one.'),
    origin: z.object({
      reason: z
        .enum(['expired', 'summary'])
        .describe(
          'expired: the model called the tool, and the request for consent was not answered in time. summary: the ' +
            'model learned it while it summarized a chat with text that the owner did not write.',
        ),
      chat_id: Id.nullable().describe('Null: the chat was deleted.'),
      turn_id: Id.nullable().describe('Null: outside of any turn.'),
      outside: z
        .array(z.string())
        .describe('The sources of text that the model had read and the owner did not write.'),
    }),
  })
  .meta({
    id: 'MemoryProposal',
    description: 'A text that a model wants to remember. No prompt contains it until the owner accepts it.',
  });
export type MemoryProposal = z.infer<typeof MemoryProposal>;

export const Memory = z
  .object({
    entries: z.array(MemoryEntry).describe('Oldest first.'),
    proposals: z
      .array(MemoryProposal)
      .describe(
        `Not part of the memory, its size and its cost. Oldest first; at most ${MAX_PROPOSALS}, above which the oldest are discarded.`,
      ),
    chars: z.int().describe('The total length of all texts.'),
    max_chars: z.int().describe('The setting `memory.max_chars`.'),
    tokens: z.int().describe('The estimated token count of the whole memory in a prompt.'),
  })
  .meta({ id: 'Memory' });
export type Memory = z.infer<typeof Memory>;

const Proposals = z.array(Id).max(MAX_PROPOSALS).default([]).describe('Ids of proposals.');

export const ReviewMemory = z
  .object({ accept: Proposals, discard: Proposals })
  .meta({ id: 'ReviewMemory', description: 'An id in both lists is accepted.' });
export type ReviewMemory = z.infer<typeof ReviewMemory>;

export const MemoryReviewed = z
  .object({
    accepted: z.array(MemoryEntry).describe('The memories that were proposals, in the order of the request.'),
    discarded: z.int().describe('The number of discarded proposals.'),
  })
  .meta({ id: 'MemoryReviewed' });
export type MemoryReviewed = z.infer<typeof MemoryReviewed>;

export const AddMemory = z.object({ text: Text }).meta({ id: 'AddMemory' });
export type AddMemory = z.infer<typeof AddMemory>;
export const PatchMemory = z.object({ text: Text.optional() }).meta({ id: 'PatchMemory' });
export type PatchMemory = z.infer<typeof PatchMemory>;

const found_in = z
  .array(z.object({ chat_id: Id, message_id: Id }))
  .describe('Messages that still contain it, as found by search: the newest ones, possibly not all.');

export const MemoryForgotten = z
  .object({ deleted: z.literal(true), id: Id, found_in })
  .meta({ id: 'MemoryForgotten' });
export type MemoryForgotten = z.infer<typeof MemoryForgotten>;

export const MemoryEmptied = z
  .object({ deleted: z.int().describe('The number of deleted entries.'), found_in })
  .meta({ id: 'MemoryEmptied' });
export type MemoryEmptied = z.infer<typeof MemoryEmptied>;
