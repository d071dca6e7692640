/** Sends a notification as one POST: follows no redirect, and keeps only the status of the response. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

interface Post {
  url: URL;
  headers: Record<string, string>;
  body: Buffer | string;
  timeout_ms: number;
  signal: AbortSignal;
  /** Resolves host names; default: the system's resolver. */
  lookup?: LookupFunction;
}

/** Returns the status. Rejects if there is no response in time. */
export function post({ url, headers, body, timeout_ms, signal, lookup }: Post): Promise<number> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const late = AbortSignal.timeout(timeout_ms);
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A pooled connection could lead to another address than the one that is checked now.
        agent: false,
        signal: AbortSignal.any([signal, late]),
        ...(lookup && { lookup }),
      },
      answer => {
        // The content is not used; reading it would let the other end take its time.
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    sending.on('error', error => {
      reject(late.aborted ? new Error(`no response within ${timeout_ms / 1000} s`) : error);
    });
    sending.end(body);
  });
}

/** The reason why a POST had no response, without its address. */
export function describeFailure(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Several addresses were tried.
  if (message === '' && errors && errors.length > 0) return describeFailure(errors[0]);
  return code === undefined || code === 'ABORT_ERR' ? message : `no connection: ${code}`;
}
