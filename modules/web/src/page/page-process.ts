/**
 * Parses one document in a separate process, which can be killed: an untrusted document may block a parser or exhaust
 * its memory.
 */
import { decode } from './decode.ts';
import type { Readable } from './readable.ts';

export interface ReadingTask {
  kind: 'html' | 'pdf';
  bytes: Uint8Array;
  /** The URL of the document. */
  url: string;
  charset: string | undefined;
  /** True: the whole page, including menus. */
  whole: boolean;
}
export type ReadingAnswer = { readable: Readable } | { problem: string };

async function read({ kind, bytes, url, charset, whole }: ReadingTask): Promise<Readable> {
  if (kind === 'pdf') return (await import('./pdf.ts')).readPdf(new Uint8Array(bytes));
  return (await import('./readable.ts')).readable(decode(bytes, charset), url, whole);
}

process.once('message', async (task: ReadingTask) => {
  const answer: ReadingAnswer = await read(task).then(
    readable => ({ readable }),
    (error: Error) => ({ problem: error.message }),
  );
  process.send?.(answer, () => process.disconnect?.());
});
