/**
 * The program that reads one document and ends: what a stranger wrote may keep a parser busy for ever, or fill its memory,
 * and a process can be ended from outside.
 */
import { decode } from './decode.ts';
import type { Readable } from './readable.ts';

export interface ReadingTask {
  kind: 'html' | 'pdf';
  bytes: Uint8Array;
  /** Where the document comes from. */
  url: string;
  charset: string | undefined;
  /** All of a page, menus included. */
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
