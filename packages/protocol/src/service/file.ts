/** Uploaded files; a turn request names them by id (FILE-1). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const UploadedFile = z
  .object({
    id: Id.describe('UUIDv4: who knows it may read the file at /files/{id}.'),
    name: z.string().describe('As it was given, made safe as the name of a file.'),
    media_type: z.string().describe('Without parameters.'),
    size: z.int().min(0).describe('Bytes.'),
  })
  .meta({ id: 'File' });
export type UploadedFile = z.infer<typeof UploadedFile>;
