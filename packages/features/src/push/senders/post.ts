/** Sends a notification as one POST: follows no redirect, and keeps only the status of the response. */
import { send } from '@chat-kernel/net';

export const TIMEOUT_MS = 10_000;

interface Post {
  url: URL;
  headers: Record<string, string>;
  body: Buffer | string;
  signal: AbortSignal;
  publicOnly?: boolean;
}

/** Returns the status. Rejects if there is no response in time. */
export async function post({ url, signal, ...request }: Post): Promise<number> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await send(url, { ...request, method: 'POST', signal: AbortSignal.any([signal, late]) });
    // The content is not used; reading it would let the other end take its time.
    answer.body.destroy();
    return answer.status;
  } catch (error) {
    throw late.aborted ? new Error(`no response within ${TIMEOUT_MS / 1000} s`) : error;
  }
}

/** The reason why a POST had no response, without its address. */
export function describeFailure(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Several addresses were tried.
  if (message === '' && errors && errors.length > 0) return describeFailure(errors[0]);
  return code === undefined || code === 'ABORT_ERR' ? message : `no connection: ${code}`;
}
