/** Uploads of files of this machine to the kernel. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { CallOptions, KernelClient, OwnUploads } from '@chat-kernel/client';
import mime from 'mime/lite';

/** Streams a file from the disk. @param uploads is told which bytes went out @throws Error where it can't be read; KernelApiError body_too_large */
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
