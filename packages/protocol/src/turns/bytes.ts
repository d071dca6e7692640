/** Pieces of files, and the results of client operations that are no plain texts (OP-2, OP-3, OP-12). */
import { z } from 'zod';
import { undoneFileShape } from '../base/undone-file.ts';

/** Longest piece, in bytes. */
const MAX_PIECE = 4 * 1024 * 1024;
/** Longest pattern to look for, in characters of base64. */
const MAX_PATTERN = 64 * 1024;

const Base64 = z
  .string()
  .refine(text => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), 'expected base64')
  .meta({ contentEncoding: 'base64' });

export const ReadBytes = z
  .object({
    path: z.string().min(1),
    offset: z.int().min(0).describe('First byte.'),
    size: z.int().min(1).max(MAX_PIECE).describe('Most bytes to read.'),
  })
  .meta({ id: 'ReadBytes' });
export type ReadBytes = z.infer<typeof ReadBytes>;

export const BytesRead = z
  .object({
    total: z.int().min(0).describe('Bytes of the whole file.'),
    data: Base64.describe('Fewer bytes than asked for where the file ends.'),
  })
  .meta({ id: 'BytesRead' });
export type BytesRead = z.infer<typeof BytesRead>;

export const FindBytes = z
  .object({
    path: z.string().min(1),
    data: Base64.refine(
      text => text !== '' && text.length <= MAX_PATTERN,
      'expected something to look for, of at most 48 KiB',
    ).describe('The bytes to look for: one at least, and at most 48 KiB of base64.'),
    offset: z.int().min(0).default(0).describe('Where to begin.'),
    limit: z.int().min(1).max(10_000).default(100).describe('Most places to tell.'),
  })
  .meta({ id: 'FindBytes' });
export type FindBytes = z.infer<typeof FindBytes>;

export const BytesFound = z
  .object({
    total: z.int().min(0).describe('Bytes of the whole file.'),
    offsets: z.array(z.int().min(0)).describe('Where the bytes stand, from the first to the last.'),
  })
  .meta({ id: 'BytesFound' });
export type BytesFound = z.infer<typeof BytesFound>;

/** Action → the result of the operation, where that is an object. */
export const OP_RESULTS = {
  read_bytes: BytesRead,
  write_bytes: BytesFound.pick({ total: true }),
  find_bytes: BytesFound,
  /** All that is in the directory, what lies deeper last. */
  list_dir: z.object({
    entries: z
      .array(
        z.object({
          path: z.string().max(4096),
          type: z.enum(['file', 'directory']),
          size: z.number(),
          mtime_ms: z.number(),
        }),
      )
      .max(1000),
  }),
  /** With each file the edits that have written it, by the ids of their operations. */
  undo: z.object({
    files: z.array(z.object({ ...undoneFileShape, op_ids: z.array(z.string()) })).max(10_000),
  }),
  /** From the directory upward to the root of its file system. */
  list_up: z.object({ dirs: z.array(z.object({ dir: z.string(), found: z.array(z.string()) })) }),
} as const;
export type OpResult<Action extends keyof typeof OP_RESULTS> = z.infer<(typeof OP_RESULTS)[Action]>;
