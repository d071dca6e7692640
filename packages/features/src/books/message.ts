/**
 * Defines the messages of the process that reads a file, one line of JSON each. A schema parses them, because a hostile
 * file may control the process.
 */
import { BOOK_FORMATS, BOOK_UNITS } from '@chat-kernel/protocol';
import { z } from 'zod';

const count = z.int().min(0);
const line = z.int().min(1).nullable();

export const ReaderMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('facts'),
    format: z.enum(BOOK_FORMATS),
    unit: z.enum(BOOK_UNITS),
    /** The title stated in the file. */
    title: z.string().nullable(),
    author: z.string().nullable(),
  }),
  /** The reader begins with section `done`; `of`: the number of sections, if known. */
  z.object({ type: z.literal('progress'), done: count, of: count.nullable() }),
  z.object({
    type: z.literal('part'),
    part: z.object({
      section: z.int().min(1),
      title: z.string().nullable(),
      piece: z.int().min(1),
      pieces: z.int().min(1),
      line,
      last_line: line,
      text: z.string(),
    }),
  }),
  /** The reason of a BookProblem. */
  z.object({ type: z.literal('problem'), sentence: z.string() }),
  /** `notes`: remarks about the whole book. */
  z.object({ type: z.literal('end'), notes: z.array(z.string()) }),
]);
export type ReaderMessage = z.infer<typeof ReaderMessage>;
export type ReaderFacts = Extract<ReaderMessage, { type: 'facts' }>;
