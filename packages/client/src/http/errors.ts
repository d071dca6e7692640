/** The errors between a client and the kernel. */
import type { Problem, ProblemPart, Resolution, Schema } from '../api/types.ts';

/** The kernel, or a proxy before it, answered with a status of 400 or more (API-8). */
export class KernelApiError extends Error {
  readonly status: number;
  /** `unexpected_answer` where the body is none of the kernel's, such as a proxy's page. */
  readonly code: Schema<'ErrorCode'> | 'unexpected_answer' | (string & {});
  readonly detail: string;
  /** The places in the body that were wrong. */
  readonly errors: readonly ProblemPart[];
  /** How the request ended; with already_resolved alone. */
  readonly resolution: Resolution | undefined;
  /** The name of this answer in the log of the kernel. */
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

/** The kernel could not be reached for longer than the caller wants to wait. */
export class ConnectionLost extends Error {
  constructor(seconds: number, cause: unknown) {
    super(`The kernel could not be reached for ${Math.round(seconds)} seconds.`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** Returns the error of an answer with an error status, or of one that leads elsewhere. */
export async function apiErrorOf(response: Response): Promise<KernelApiError> {
  const text = await response.text();
  const problem = problemIn(text);
  return problem ? new KernelApiError(response.status, problem) : unexpectedAnswer(response, text);
}

/** Returns the error of an answer that is not from the kernel, such as a proxy's page. */
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
    // No JSON: a proxy's page.
    return undefined;
  }
}

/**
 * Returns whether the next attempt may succeed: after no connection, a broken one, a proxy without a kernel behind it or
 * with too many requests, or a kernel that restarts.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof KernelApiError ? [429, 502, 503, 504].includes(error.status) : error instanceof BrokenLine;

/** The answer did not come, or ended too early. */
export class BrokenLine extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'BrokenLine';
  }
}
