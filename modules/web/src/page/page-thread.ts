/**
 * The thread that reads one document and ends: what a stranger wrote may keep a parser busy for ever, or fill its memory,
 * and a thread can be ended from outside.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { decode } from './decode.ts';
import type { Readable } from './readable.ts';

export interface ThreadTask {
  kind: 'html' | 'pdf';
  bytes: Uint8Array;
  /** Where the document comes from. */
  url: string;
  charset: string | undefined;
  /** All of a page, menus included. */
  whole: boolean;
}
export type ThreadAnswer = { readable: Readable } | { problem: string };

async function read({ kind, bytes, url, charset, whole }: ThreadTask): Promise<Readable> {
  if (kind === 'pdf') return (await import('./pdf.ts')).readPdf(bytes);
  return (await import('./readable.ts')).readable(decode(bytes, charset), url, whole);
}

const answer: ThreadAnswer = await read(workerData).then(
  readable => ({ readable }),
  (error: Error) => ({ problem: error.message }),
);
parentPort?.postMessage(answer);
