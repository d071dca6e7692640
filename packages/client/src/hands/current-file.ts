/** Reads the file that an operation would replace, on the machine that would write it, for the dialog of its owner. */
import type { Operation } from '../api/operation.ts';
import type { KernelClient } from '../client/client.ts';
import { KernelApiError } from '../http/errors.ts';
import { decodeFile, keepForm } from './file-text.ts';

/**
 * `text`: its content, with its byte order mark, because writing without it would be a change. `new`: it does not
 * exist yet. `unknown`: it cannot be read, with the reason as a sentence.
 */
export type CurrentFile =
  | { state: 'text'; text: string }
  | { state: 'new' }
  | { state: 'unknown'; reason: string };

/** Larger files are not compared. */
const MAX_BYTES = 2 * 1024 * 1024;
/** A dialog does not wait longer for a machine. */
const MAX_WAIT_MS = 5000;

/**
 * Asks no second question: the kernel answers only while the request to write the file is open.
 * @param operation a request for consent to a `write`
 * @param signal aborted when the dialog is closed
 */
export async function readCurrentFile(
  client: KernelClient,
  { op_id, chat_id, hands, params }: Operation,
  signal?: AbortSignal,
): Promise<CurrentFile> {
  if (hands === undefined) return unknown('Only the client that runs this operation can read it.');
  const range = { path: String(params.path), offset: 0, size: MAX_BYTES };
  const timeout = AbortSignal.timeout(MAX_WAIT_MS);
  const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  try {
    const { total, data } = await (hands === null
      ? client.readBytes(range, options)
      : client.readClientBytes(chat_id, { ...range, request: op_id }, options));
    if (total > MAX_BYTES) return unknown('It is too large to be compared here.');
    return decode(data) ?? unknown('It is not text.');
  } catch (error) {
    if (timeout.aborted) return unknown(`${hands ?? 'The server'} did not answer in time.`);
    if (isMissing(error)) return { state: 'new' };
    return unknown(error instanceof KernelApiError ? error.detail : String((error as Error).message));
  }
}

/**
 * Returns the text that a file will have after a `write`, for a diff. The kernel has already fitted the content for files
 * of its own machine; other machines do that when they write.
 * @param content the content of the operation
 * @param current the current text of the file
 */
export const textAfterWrite = (
  { hands, params }: Pick<Operation, 'hands' | 'params'>,
  content: string,
  current: string,
): string => (hands === null || params.exact === true ? content : keepForm(content, current));

const unknown = (reason: string): CurrentFile => ({ state: 'unknown', reason });

/**
 * A connected machine reports the error of its system. Only its beginning counts, because the rest may contain the path,
 * which the model chose.
 */
const isMissing = (error: unknown): boolean =>
  error instanceof KernelApiError &&
  (error.code === 'not_found' || /^The client reported an error: ENOENT\b/.test(error.detail));

function decode(base64: string): CurrentFile | undefined {
  const file = decodeFile(Uint8Array.from(atob(base64), character => character.charCodeAt(0)));
  return file && { state: 'text', text: file.text };
}
