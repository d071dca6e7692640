/** Reads whole text files up to a limit, and writes them atomically: readers see the old text or the new one. */
import { constants } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { decodeFile, encodeFile, keepForm } from '@chat-kernel/client';
import { checkRegular, type HardLinks, withFile } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Reads a file as text, with its byte order mark. Invalid bytes become U+FFFD.
 * @throws if it has more than `maxBytes`; read_bytes reads pieces of it
 */
export async function readText(path: string, maxBytes: number, links: HardLinks): Promise<string> {
  const bytes = await readWhole(path, maxBytes, links);
  return decodeFile(bytes)?.text ?? bytes.toString('utf8');
}

/**
 * Returns the bytes of a new content for a file: an existing text keeps its encoding and byte order mark, and its line
 * ends unless the content is `exact`.
 */
export async function encodeFor(
  path: string,
  content: string,
  { maxBytes, links, exact }: { maxBytes: number; links: HardLinks; exact: boolean },
): Promise<Uint8Array> {
  // The write itself fails if the path is not a file, and replaces a file that cannot be read.
  const current = await readWhole(path, maxBytes, links).then(decodeFile, () => undefined);
  if (current === undefined) return Buffer.from(content);
  return encodeFile({ ...current, text: exact ? content : keepForm(content, current.text) });
}

function readWhole(path: string, maxBytes: number, links: HardLinks): Promise<Buffer> {
  return withFile(path, constants.O_RDONLY, links, async file => {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are read as text.`);
    const pieces: Buffer[] = [];
    let read = 0;
    // The reported size is not reliable: system files report none, and other files may grow during the read.
    for await (const piece of file.createReadStream({ autoClose: false, end: maxBytes })) {
      pieces.push(piece);
      read += piece.length;
    }
    if (read > maxBytes)
      throw new Error(`${path} has more than the ${maxBytes} bytes that are read as text.`);
    return Buffer.concat(pieces);
  });
}

/**
 * Writes a file and creates its directories. An existing file keeps its permissions.
 * @param path real, as `reached` returns it
 * @param mode other permissions
 */
export async function writeWhole(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const before = await lstat(path).catch(() => null);
  // Do not replace a pipe or a device: it would become a file, and writing to it may block forever.
  if (before) checkRegular(path, before);
  await replaceFile({ directory: dirname(path), name: basename(path) }, content, before, mode);
}
