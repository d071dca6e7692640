/** Defines errors in the format of OpenAI's API. */

/** The members of OpenAI's `error`, and its HTTP status and headers. */
export interface ErrorParts {
  status: number;
  message: string;
  /** OpenAI's own code if there is one for this error, otherwise the kernel's. */
  code: string | null;
  /** The location in the request, such as `messages[0].content`. */
  param?: string | null;
  type?: string;
  /** Whether a retry of the same request may succeed; if absent, clients decide by the status. */
  retry?: boolean;
  /** Seconds. */
  retryAfter?: string;
}

export class OpenAiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body of the answer, and the frame of a stream. */
  readonly body: { error: { message: string; type: string; param: string | null; code: string | null } };

  constructor({
    status,
    message,
    code,
    param = null,
    type = errorType(status),
    retry,
    retryAfter,
  }: ErrorParts) {
    super(message);
    this.name = 'OpenAiError';
    this.status = status;
    this.body = { error: { message, type, param, code } };
    this.headers = {
      // OpenAI's own clients check this header first.
      ...(retry !== undefined && { 'x-should-retry': String(retry) }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    };
  }
}

/** The error of a request with an invalid value. */
export const invalid = (param: string | null, message: string, code: string | null = null): OpenAiError =>
  new OpenAiError({ status: 400, message, param, code });

const errorType = (status: number): string => {
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
};
