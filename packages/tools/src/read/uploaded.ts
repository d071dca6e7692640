/**
 * Reads uploaded files by their id instead of a path: `file:<id>`, as in the markers for uploads of untrusted senders.
 */
import type { ToolContext } from '@chat-kernel/kernel';
import { sizeForPeople } from '@chat-kernel/protocol';
import { decodeBeginning } from '../machine/decode-beginning.ts';
import { type FileText, failed, selectLines } from './lines.ts';

/**
 * Returns the requested lines of an uploaded file.
 * @param most maximum bytes that are read; later lines are not available
 */
export async function uploadedLines(
  id: string,
  wanted: { offset?: number | undefined; limit?: number | undefined },
  { uploadedFile }: Pick<ToolContext, 'uploadedFile'>,
  most: number,
): Promise<FileText> {
  const uploaded = await uploadedFile(id);
  if (uploaded === undefined) return failed('There is no file with this id that this turn can read.');
  const { size } = uploaded.file;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of uploaded.bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  const text = decodeBeginning(Buffer.concat(pieces).subarray(0, most), size > most);
  const limits = `only the first ${sizeForPeople(most)} of ${sizeForPeople(size)} can be read`;
  return selectLines(text, wanted, { size, ...(size > most && { beyond: limits }) });
}
