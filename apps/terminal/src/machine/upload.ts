/** Uploads local files to the kernel. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { CallOptions, KernelClient, OwnUploads } from '@chat-kernel/client';
import mime from 'mime/lite';

/**
 * Streams a file from disk.
 * @param uploads records what was uploaded
 * @throws Error on read errors, KernelApiError body_too_large
 */
export async function upload(
  client: KernelClient,
  path: string,
  uploads: OwnUploads,
  options: CallOptions = {},
): Promise<{ id: string }> {
  const bytes = await openAsBlob(path);
  const media_type = mime.getType(path) ?? 'application/octet-stream';
  const { id } = await client.uploadFile({ name: basename(path), media_type, bytes }, options);
  uploads.add(id, bytes);
  return { id };
}
