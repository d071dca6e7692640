/** What the kernel refuses, and turns that failed, as errors of OpenAI's API. */
import { BrokenLine, ConnectionLost, KernelApiError, type TurnError } from '@chat-kernel/client';
import { type ErrorParts, OpenAiError } from './openai-error.ts';

type Words = Partial<Omit<ErrorParts, 'message'>>;

/** What the kernel, or a proxy before it, says about a request. */
interface Refusal {
  status: number;
  code: string;
  detail: string;
}

/** Seconds after which a kernel that cannot answer now may be asked again. */
const RETRY_AFTER = '5';
const QUOTA: Words = { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', retry: false };

/** The kernel's code → what OpenAI's API has for it, where that is something else. */
const REFUSALS: Readonly<Record<string, Words>> = {
  not_json: { status: 400, code: null },
  schema_mismatch: { status: 400 },
  unknown_model: { status: 404, code: 'model_not_found', param: 'model' },
  spend_cap: QUOTA,
};
const FAILURES: Readonly<Record<string, Words>> = {
  upstream_rate_limited: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream_error: { status: 502 },
  upstream_auth: { status: 502 },
  context_overflow: { status: 400, code: 'context_length_exceeded', param: 'messages' },
  no_model: { status: 404, code: 'model_not_found', param: 'model' },
  blocked_by_module: { status: 400 },
  spend_cap: QUOTA,
  kernel_restarted: { status: 503 },
  storage_unavailable: { status: 503 },
};

/** @param param the place in the request that is meant, where the kernel names none */
export function refusalOf({ code, detail, status }: Refusal, param: string | null = null): OpenAiError {
  const own = REFUSALS[code] ?? {};
  return new OpenAiError({ status, code, param, message: detail, ...retryAfter(status), ...own });
}

/** The error of a turn that failed. @param retry whether nothing of it was told, so that the request may be sent again */
export function failureOf({ code, message, retryable }: TurnError, retry: boolean): OpenAiError {
  const own = FAILURES[code] ?? {};
  const status = own.status ?? 500;
  // Clients decide by the status where the header says nothing.
  const said = retry && retryable ? {} : { retry: false };
  return new OpenAiError({ status, code, message, ...retryAfter(status), ...said, ...own });
}

/** An error of the client as one of OpenAI's API; one that is unexpected as it is. */
export function openAiErrorOf(error: unknown, param: string | null = null): unknown {
  // A line that cannot be repeated is lost by what broke it.
  if (error instanceof ConnectionLost) return openAiErrorOf(error.cause, param);
  if (error instanceof BrokenLine) return refusalOf(AWAY);
  if (!(error instanceof KernelApiError)) return error;
  return refusalOf(error, param);
}

const AWAY: Refusal = { status: 503, code: 'kernel_away', detail: 'The kernel did not answer.' };

const retryAfter = (status: number): Words =>
  status === 502 || status === 503 ? { retryAfter: RETRY_AFTER } : {};
