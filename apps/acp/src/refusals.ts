/** Converts errors of the kernel and of the connection to errors of the protocol. */
import { RequestError } from '@agentclientprotocol/sdk';
import { isUnreachable, KernelApiError } from '@chat-kernel/client';

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

/** Converts errors of a call to protocol errors. @param url of the kernel */
export const refusals =
  (url: string) =>
  async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    try {
      return await call;
    } catch (error) {
      throw error instanceof RequestError ? error : toRequestError(error, url);
    }
  };

function toRequestError(error: unknown, url: string): RequestError {
  if (error instanceof KernelApiError) {
    const code = error.status === 404 ? NOT_FOUND : error.status < 500 ? INVALID_PARAMS : INTERNAL;
    return new RequestError(code, error.message, { code: error.code });
  }
  if (isUnreachable(error)) {
    return new RequestError(
      INTERNAL,
      `Can't reach Chat Kernel at ${url}. Start it with \`chat-kernel up\`, or pass another address with --url.`,
    );
  }
  return new RequestError(INTERNAL, error instanceof Error ? error.message : String(error));
}

/** @param what the invalid value, and why it is invalid */
export const unusable = (what: string): RequestError => new RequestError(INVALID_PARAMS, what);
