/** Defines pieces of files, and the results of client operations that are not plain texts (OP-2, OP-3, OP-12). */
import { z } from 'zod';
import { boundedText, NameText } from '../base/bounded.ts';
import { undoneFileShape } from '../base/undone-file.ts';

/** Longest piece, in bytes. */
const MAX_PIECE = 4 * 1024 * 1024;
/** Longest search pattern, in characters of base64. */
const MAX_PATTERN = 64 * 1024;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
const Base64 = z.string().refine(isBase64, 'expected base64').meta({ contentEncoding: 'base64' });

export const ReadBytes = z
  .object({
    path: NameText.min(1),
    offset: z.int().min(0).describe('The offset of the first byte.'),
    size: z.int().min(1).max(MAX_PIECE).describe('Maximum number of bytes to read.'),
  })
  .meta({ id: 'ReadBytes' });
export type ReadBytes = z.infer<typeof ReadBytes>;

export const ReadClientBytes = ReadBytes.extend({
  request: NameText.optional().describe(
    'Id of an open `consent_request` to write this file on a connected machine. The owner is not asked again, because the file is for that dialog.',
  ),
}).meta({ id: 'ReadClientBytes' });
export type ReadClientBytes = z.infer<typeof ReadClientBytes>;

export const BytesRead = z
  .object({
    total: z.int().min(0).describe('The size of the file in bytes.'),
    data: Base64.describe('Fewer bytes than requested at the end of the file.'),
  })
  .meta({ id: 'BytesRead' });
export type BytesRead = z.infer<typeof BytesRead>;

export const CopyFile = z
  .object({
    path: z
      .string()
      .min(1)
      .max(4096)
      .describe('Absolute, or relative to the working directory of the chat; or `file:ID` of an upload.'),
  })
  .meta({ id: 'CopyFile' });
export type CopyFile = z.infer<typeof CopyFile>;

export const FindBytes = z
  .object({
    path: NameText.min(1),
    data: boundedText(MAX_PATTERN)
      .refine(isBase64, 'expected base64')
      .refine(text => text !== '', 'expected a pattern of at most 48 KiB')
      .meta({ contentEncoding: 'base64' })
      .describe('The bytes to find: at least one, at most 48 KiB of base64.'),
    offset: z.int().min(0).default(0).describe('The offset where the search starts.'),
    limit: z.int().min(1).max(10_000).default(100).describe('Maximum number of matches.'),
  })
  .meta({ id: 'FindBytes' });
export type FindBytes = z.infer<typeof FindBytes>;

export const BytesFound = z
  .object({
    total: z.int().min(0).describe('The size of the file in bytes.'),
    offsets: z.array(z.int().min(0)).describe('The offsets of the matches, in ascending order.'),
  })
  .meta({ id: 'BytesFound' });
export type BytesFound = z.infer<typeof BytesFound>;

/** Action → the result of the operation, if that is an object. */
export const OP_RESULTS = {
  read_bytes: BytesRead,
  write_bytes: BytesFound.pick({ total: true }),
  find_bytes: BytesFound,
  /** All entries in the directory, the deepest last. */
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
  /** For each file, the edits that have written it, by the ids of their operations. */
  undo: z.object({
    files: z.array(z.object({ ...undoneFileShape, op_ids: z.array(z.string()) })).max(10_000),
  }),
  /** From the directory upward to the root of its file system. */
  list_up: z.object({ dirs: z.array(z.object({ dir: z.string(), found: z.array(z.string()) })) }),
} as const;
export type OpResult<Action extends keyof typeof OP_RESULTS> = z.infer<(typeof OP_RESULTS)[Action]>;
