/** Errors of the kernel and of the line to it, as an editor shows them. */
import { RequestError } from '@agentclientprotocol/sdk';
import { BrokenLine, ConnectionLost, KernelApiError } from '@chat-kernel/client';

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

/** Makes errors of a call to those of the protocol. @param url of the kernel */
export const refusals =
  (url: string) =>
  async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    try {
      return await call;
    } catch (error) {
      throw error instanceof RequestError ? error : requestErrorOf(error, url);
    }
  };

function requestErrorOf(error: unknown, url: string): RequestError {
  if (error instanceof KernelApiError) {
    const code = error.status === 404 ? NOT_FOUND : error.status < 500 ? INVALID_PARAMS : INTERNAL;
    return new RequestError(code, error.message, { code: error.code });
  }
  if (error instanceof BrokenLine || error instanceof ConnectionLost) {
    return new RequestError(
      INTERNAL,
      `No kernel answers at ${url}: start one with \`chat-kernel up\`, or name another with --url.`,
    );
  }
  return new RequestError(INTERNAL, error instanceof Error ? error.message : String(error));
}

/** @param what the value that cannot be used, and why */
export const unusable = (what: string): RequestError => new RequestError(INVALID_PARAMS, what);
