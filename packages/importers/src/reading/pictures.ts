/** The pictures of an export, found by the ids that begin their names. */
import { basename } from 'node:path';
import type { Pictures } from '../base/incoming.ts';
import { pictureId } from '../formats/picture.ts';
import type { ExportFile } from './export-files.ts';

/** Bytes of a picture, and of those of one conversation: in base64 they fit into one request. */
const MOST_OF_ONE = 20 * 1024 * 1024;
const MOST_OF_CHAT = 36 * 1024 * 1024;

/** Returns a reader for the next conversation; each has room of its own. */
export function picturesIn(files: readonly ExportFile[]): () => Pictures {
  const byId = new Map<string, ExportFile>();
  for (const file of files) {
    const id = pictureId(basename(file.name));
    if (id !== undefined && !byId.has(id)) byId.set(id, file);
  }
  return () => {
    let room = MOST_OF_CHAT;
    return async id => {
      const file = byId.get(id);
      if (file === undefined || file.size > Math.min(room, MOST_OF_ONE)) return undefined;
      const chunks: Buffer[] = [];
      let size = 0;
      // Counted as they come, because the size in an archive may be a lie.
      for await (const chunk of await file.bytes()) {
        size += chunk.length;
        if (size > Math.min(room, MOST_OF_ONE)) return undefined;
        chunks.push(chunk);
      }
      room -= size;
      return Buffer.concat(chunks);
    };
  };
}
