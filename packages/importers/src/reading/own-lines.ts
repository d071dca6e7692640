/** The lines of our own export as values. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { BrokenConversation } from '../base/incoming.ts';
import type { ExportFile } from './export-files.ts';

/** @param most bytes of all lines @throws BrokenConversation */
export async function linesOf(file: ExportFile, most: number): Promise<unknown[]> {
  if (file.size > most) throw new BrokenConversation(`it has more than ${most} bytes`);
  const lines: unknown[] = [];
  for await (const line of createInterface({
    input: Readable.from(await file.bytes()),
    crlfDelay: Infinity,
  })) {
    if (line.trim() === '') continue;
    try {
      lines.push(JSON.parse(line));
    } catch {
      throw new BrokenConversation(`line ${lines.length + 1} is no JSON`);
    }
  }
  return lines;
}
