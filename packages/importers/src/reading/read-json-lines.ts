/** Parses the lines of an export of Chat Kernel. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { MAX_LEVELS, NestingMeter } from '@chat-kernel/protocol';
import { BrokenConversation } from '../base/incoming.ts';
import type { ImportLimits } from '../base/limits.ts';
import type { ExportFile } from './export-files.ts';
import { parseBounded } from './parse-bounded.ts';

/** @throws BrokenConversation */
export async function readJsonLines(
  file: ExportFile,
  { conversation_bytes: most, values }: ImportLimits,
): Promise<unknown[]> {
  if (file.size > most) throw new BrokenConversation(`it has more than ${most} bytes`);
  const meter = new NestingMeter(MAX_LEVELS);
  const lines: unknown[] = [];
  for await (const line of createInterface({
    input: Readable.from(await file.bytes()),
    crlfDelay: Infinity,
  })) {
    if (line.trim() === '') continue;
    const name = `line ${lines.length + 1}`;
    lines.push(parseBounded(Buffer.from(line), { meter, values, name }));
  }
  return lines;
}
