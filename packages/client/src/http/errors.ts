/** What can go wrong between a client and the kernel. */
import type { Problem, ProblemPart, Resolution, Schema } from '../api/types.ts';

/** The kernel, or a proxy before it, answered with a status of 400 or more (API-8). */
export class KernelApiError extends Error {
  readonly status: number;
  /** `unexpected_answer` where the body is none of the kernel's, such as a proxy's page. */
  readonly code: Schema<'ErrorCode'> | 'unexpected_answer' | (string & {});
  readonly detail: string;
  /** What in the body was wrong; empty where nothing of it was. */
  readonly errors: readonly ProblemPart[];
  /** With already_resolved: how the request ended. */
  readonly resolution: Resolution | undefined;
  /** Names this answer in the log of the kernel. */
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

/** Of an answer with an error status, or one that leads elsewhere. */
export async function apiErrorOf(response: Response): Promise<KernelApiError> {
  const text = await response.text();
  const problem = problemIn(text);
  return problem ? new KernelApiError(response.status, problem) : unexpectedAnswer(response, text);
}

/** Of an answer that is none of the kernel's, such as a proxy's page. */
export function unexpectedAnswer({ status, statusText, headers }: Response, text: string): KernelApiError {
  const request_id = headers.get('x-request-id') ?? undefined;
  const place = headers.get('location');
  const leads = place === null ? '' : `, which leads to ${place}`;
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
 * Whether a failure may be gone at the next attempt: no connection, a broken one, a proxy without a kernel behind it
 * or with too many guests, or a kernel that restarts.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof KernelApiError ? [429, 502, 503, 504].includes(error.status) : error instanceof BrokenLine;

/** No answer came, or it ended too early. */
export class BrokenLine extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'BrokenLine';
  }
}
