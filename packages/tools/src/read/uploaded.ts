/** Uploaded files, read by their id in place of a path: `file:<id>`, as the markers of strangers' uploads have it. */
import type { ToolContext } from '@chat-kernel/kernel';
import { sizeForPeople } from '@chat-kernel/protocol';
import { type FileText, failed, linesOf } from './lines.ts';

const ADDRESS = /^file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The id of the uploaded file that a path names; undefined where it is a path. */
export const uploadedId = (path: string): string | undefined => ADDRESS.exec(path)?.[1];

/** The wanted lines of an uploaded file. @param most bytes that are read: lines behind them are out of reach */
export async function uploadedLines(
  id: string,
  wanted: { offset?: number | undefined; limit?: number | undefined },
  { uploadedFile }: Pick<ToolContext, 'uploadedFile'>,
  most: number,
): Promise<FileText> {
  const uploaded = await uploadedFile(id);
  if (uploaded === undefined) return failed('There is no such file that this turn may read.');
  const { size } = uploaded.file;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of uploaded.bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  const text = Buffer.concat(pieces).subarray(0, most).toString('utf8');
  const limits = `only the first ${sizeForPeople(most)} of ${sizeForPeople(size)} can be read`;
  return linesOf(text, wanted, { size, ...(size > most && { beyond: limits }) });
}
