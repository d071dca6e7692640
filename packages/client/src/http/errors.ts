/** Errors between a client and the kernel. */
import type { ErrorCode, Problem, ProblemPart, Resolution } from '../api/types.ts';

/** The kernel, or a proxy in front of it, returned a status of 400 or more (API-8). */
export class KernelApiError extends Error {
  readonly status: number;
  /** `unexpected_answer` if the body is not the kernel's, for example a proxy's page. */
  readonly code: ErrorCode | 'unexpected_answer' | (string & {});
  readonly detail: string;
  /** The invalid parts of the body. */
  readonly errors: readonly ProblemPart[];
  /** How the request ended; only with already_resolved. */
  readonly resolution: Resolution | undefined;
  /** The id of this response in the kernel's log. */
  readonly request_id: string | undefined;

  constructor(status: number, problem: Partial<Problem> & { detail: string }) {
    super(problem.title ? `${problem.title}: ${problem.detail}` : problem.detail);
    this.name = 'KernelApiError';
    this.status = status;
    this.code = problem.code ?? 'unexpected_answer';
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.resolution = problem.resolution;
    this.request_id = problem.request_id;
  }
}

/** The kernel was unreachable for longer than the caller wants to wait. */
export class RetriesExhaustedError extends Error {
  constructor(seconds: number, cause: unknown) {
    super(`The kernel could not be reached for ${Math.round(seconds)} seconds.`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** Returns the error of a response with an error status, or of a redirect. */
export async function parseApiError(response: Response): Promise<KernelApiError> {
  const text = await response.text();
  const problem = problemIn(text);
  return problem ? new KernelApiError(response.status, problem) : unexpectedAnswer(response, text);
}

/** Returns the error of a response that is not from the kernel, such as a proxy's page. */
export function unexpectedAnswer({ status, statusText, headers }: Response, text: string): KernelApiError {
  const request_id = headers.get('x-request-id') ?? undefined;
  const location = headers.get('location');
  const leads = location === null ? '' : `, which leads to ${location}`;
  const detail = `${status} ${statusText}${leads}: ${text.slice(0, 200)}`.trim();
  return new KernelApiError(status, { detail, ...(request_id !== undefined && { request_id }) });
}

function problemIn(text: string): Problem | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value?.code === 'string' && typeof value.detail === 'string' ? value : undefined;
  } catch {
    // Not JSON, for example a proxy's page.
    return undefined;
  }
}

/** The response did not arrive, or ended too early. */
export class ConnectionError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'BrokenLine';
  }
}

/**
 * Code of a failure of the server → whether the same request may succeed later. A copy of those facts in the protocol,
 * whose catalog every program would load.
 */
const RETRYABLE = {
  internal: false,
  sign_in_failed: false,
  upstream_error: false,
  shutting_down: true,
  too_busy: true,
  kernel_away: true,
  storage_unavailable: true,
} as const satisfies Partial<Record<ErrorCode, boolean>>;

/** True if no response of the kernel arrived. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof RetriesExhaustedError;

/** True if the kernel is unreachable, or the next attempt may succeed. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof KernelApiError ? isRetryableAnswer(error) : isUnreachable(error);

/** For other codes the status decides, for example if a proxy has no kernel behind it. */
const isRetryableAnswer = ({ code, status }: KernelApiError): boolean =>
  Object.hasOwn(RETRYABLE, code)
    ? RETRYABLE[code as keyof typeof RETRYABLE]
    : [429, 502, 503, 504].includes(status);
