/** An error in the shape that clients of OpenAI's API read. */

/** The members of OpenAI's `error`, and what HTTP says beside it. */
export interface ErrorParts {
  status: number;
  message: string;
  /** OpenAI's own where it has one for this, else the kernel's. */
  code: string | null;
  /** The place in the request, such as `messages[0].content`. */
  param?: string | null;
  type?: string;
  /** Whether the same request may succeed; absent: clients judge by the status. */
  retry?: boolean;
  /** Seconds. */
  retryAfter?: string;
}

export class OpenAiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body of the answer, and the frame of a stream. */
  readonly body: { error: { message: string; type: string; param: string | null; code: string | null } };

  constructor({ status, message, code, param = null, type = typeOf(status), retry, retryAfter }: ErrorParts) {
    super(message);
    this.name = 'OpenAiError';
    this.status = status;
    this.body = { error: { message, type, param, code } };
    this.headers = {
      // OpenAI's own clients ask this header first.
      ...(retry !== undefined && { 'x-should-retry': String(retry) }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    };
  }
}

/** The error of a request with a value that cannot be taken. */
export const invalid = (param: string | null, message: string, code: string | null = null): OpenAiError =>
  new OpenAiError({ status: 400, message, param, code });

const typeOf = (status: number): string => {
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
};
