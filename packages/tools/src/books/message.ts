/** What the process that reads a file tells the kernel: a line of JSON each. Parsed at the door, for that process may be anybody's. */
import { BOOK_FORMATS, BOOK_UNITS } from '@chat-kernel/protocol';
import { z } from 'zod';

const count = z.int().min(0);
const line = z.int().min(1).nullable();

export const ReaderMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('facts'),
    format: z.enum(BOOK_FORMATS),
    unit: z.enum(BOOK_UNITS),
    /** As the file has it. */
    title: z.string().nullable(),
    author: z.string().nullable(),
  }),
  /** It begins with section `done`; `of`: how many there are, where that is known. */
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
  /** See BookProblem. */
  z.object({ type: z.literal('problem'), sentence: z.string() }),
  /** `notes`: what is worth knowing of the whole. */
  z.object({ type: z.literal('end'), notes: z.array(z.string()) }),
]);
export type ReaderMessage = z.infer<typeof ReaderMessage>;
export type ReaderFacts = Extract<ReaderMessage, { type: 'facts' }>;
