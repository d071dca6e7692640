/** Defines uploaded files; a turn request refers to them by id (FILE-1). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const UploadedFile = z
  .object({
    id: Id.describe('UUIDv4. Anyone who knows it can read the file at /files/{id}.'),
    name: z.string().describe('The given name, sanitized as a file name.'),
    media_type: z.string().describe('Without parameters.'),
    size: z.int().min(0).describe('Bytes.'),
  })
  .meta({ id: 'File' });
export type UploadedFile = z.infer<typeof UploadedFile>;
