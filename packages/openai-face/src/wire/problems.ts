/** Converts rejections of the kernel and failed turns to errors of OpenAI's API. */
import { isUnreachable, KernelApiError, RetriesExhaustedError, type TurnError } from '@chat-kernel/client';
import { type ErrorParts, OpenAiError } from './openai-error.ts';

type Words = Partial<Omit<ErrorParts, 'message'>>;

/** The problem that the kernel, or a proxy before it, returned. */
interface Refusal {
  status: number;
  code: string;
  detail: string;
}

/** Seconds after which a client may retry when the kernel cannot answer now. */
const RETRY_AFTER = '5';
const QUOTA: Words = { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', retry: false };

/** The kernel's code → its equivalent in OpenAI's API, if it differs. */
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

/** @param param the location in the request, if the kernel names none */
export function toRefusalError({ code, detail, status }: Refusal, param: string | null = null): OpenAiError {
  const mapped = REFUSALS[code] ?? {};
  return new OpenAiError({ status, code, param, message: detail, ...retryAfter(status), ...mapped });
}

/** The error of a failed turn. @param retry whether nothing of it was sent, so that a retry is safe */
export function toTurnFailure(failure: TurnError, retry: boolean): OpenAiError {
  const { code, message, retryable } = failure;
  const mapped = FAILURES[code] ?? {};
  const status = refusedStatus(failure) ?? mapped.status ?? 500;
  // Without the header, clients decide by the status and would repeat the retries of the kernel.
  const said = retry && retryable && !RETRIED.includes(code) ? {} : { retry: false };
  return new OpenAiError({
    code,
    message,
    ...(retryable && toRetryAfter(failure, status)),
    ...said,
    ...mapped,
    status,
  });
}

/** Failures of a provider, which the kernel retries as often as it makes sense. */
const RETRIED: readonly string[] = ['upstream_rate_limited', 'upstream_error', 'upstream_auth'];
/** Permanent failures with the status of the provider. */
const OF_THE_PROVIDER: readonly string[] = ['upstream_error', 'upstream_auth'];

function refusedStatus({ code, retryable, provider_status = 500 }: TurnError): number | undefined {
  const isPermanent = !retryable && provider_status >= 400 && provider_status < 500;
  return isPermanent && OF_THE_PROVIDER.includes(code) ? provider_status : undefined;
}

function toRetryAfter({ retry_after_secs }: TurnError, status: number): Words {
  if (status === 429 || retry_after_secs !== undefined)
    return { retryAfter: String(Math.ceil(retry_after_secs ?? Number(RETRY_AFTER))) };
  return retryAfter(status);
}

/** Converts an error of the client to one of OpenAI's API; returns unexpected errors unchanged. */
export function toOpenAiError(error: unknown, param: string | null = null): unknown {
  // A connection that cannot be retried fails with its cause.
  if (error instanceof RetriesExhaustedError) return toOpenAiError(error.cause, param);
  if (isUnreachable(error)) return toRefusalError(AWAY);
  if (!(error instanceof KernelApiError)) return error;
  return toRefusalError(error, param);
}

const AWAY: Refusal = { status: 503, code: 'kernel_away', detail: 'The kernel did not respond.' };

const retryAfter = (status: number): Words =>
  status === 502 || status === 503 ? { retryAfter: RETRY_AFTER } : {};
