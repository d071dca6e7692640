/** Finds the pictures of an export by the ids at the beginning of their names. */
import { basename } from 'node:path';
import type { Pictures } from '../base/incoming.ts';
import { pictureId } from '../formats/picture.ts';
import type { ExportFile } from './export-files.ts';

/** Limits in bytes for one picture, and for those of one conversation: in base64 they fit into one request. */
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_CHAT_BYTES = 36 * 1024 * 1024;

/** Returns a reader for the next conversation; each has its own limit. */
export function picturesIn(files: readonly ExportFile[]): () => Pictures {
  const byId = new Map<string, ExportFile>();
  for (const file of files) {
    const id = pictureId(basename(file.name));
    if (id !== undefined && !byId.has(id)) byId.set(id, file);
  }
  return () => {
    let room = MAX_CHAT_BYTES;
    return async id => {
      const file = byId.get(id);
      if (file === undefined || file.size > Math.min(room, MAX_PICTURE_BYTES)) return undefined;
      const chunks: Buffer[] = [];
      let size = 0;
      // The bytes are counted as they arrive, because the size in an archive may be false.
      for await (const chunk of await file.bytes()) {
        size += chunk.length;
        if (size > Math.min(room, MAX_PICTURE_BYTES)) return undefined;
        chunks.push(chunk);
      }
      room -= size;
      return Buffer.concat(chunks);
    };
  };
}
