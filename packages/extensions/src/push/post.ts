/** One POST of a word: no redirect is followed, nothing of the answer is kept but its status. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

interface Post {
  url: URL;
  headers: Record<string, string>;
  body: Buffer | string;
  timeout_ms: number;
  signal: AbortSignal;
  /** Decides where a name leads; default: the system's. */
  lookup?: LookupFunction;
}

/** Returns the status. Rejects where there is none in time. */
export function post({ url, headers, body, timeout_ms, signal, lookup }: Post): Promise<number> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const late = AbortSignal.timeout(timeout_ms);
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection that is kept could be one to another address than the one that is checked now.
        agent: false,
        signal: AbortSignal.any([signal, late]),
        ...(lookup && { lookup }),
      },
      answer => {
        // What stands in it is not of interest; reading it would let the other end take its time.
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    sending.on('error', error => {
      reject(late.aborted ? new Error(`no answer within ${timeout_ms / 1000} s`) : error);
    });
    sending.end(body);
  });
}

/** Why a POST had no answer, without the address that it went to. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Several addresses were tried.
  if (message === '' && errors && errors.length > 0) return reasonOf(errors[0]);
  return code === undefined || code === 'ABORT_ERR' ? message : `no connection: ${code}`;
}
