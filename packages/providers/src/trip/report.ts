/** Extracts the relevant fields of an error, no matter which package, server or socket threw it. */
import { isTextTooDeep, isTooDeep, MAX_LEVELS } from '@chat-kernel/protocol';

export interface ErrorReport {
  status: number | undefined;
  /** Code or type in the provider's spelling. */
  code: string | undefined;
  /** The provider's message; "" if there is none. */
  sentence: string;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  /** The error body that the provider sent. */
  body: string;
  /** True if no response arrived: the connection failed or broke. */
  disconnected: boolean;
}

/** Properties that the errors of packages, servers and sockets may have. */
interface Thrown {
  name?: unknown;
  message?: unknown;
  statusCode?: unknown;
  status?: unknown;
  code?: unknown;
  type?: unknown;
  error?: unknown;
  errors?: unknown;
  detail?: unknown;
  data?: unknown;
  cause?: unknown;
  responseBody?: unknown;
  responseHeaders?: unknown;
}

export const isRedirect = (status: number | undefined): boolean =>
  status !== undefined && status >= 300 && status < 400;

export function buildErrorReport(thrown: unknown): ErrorReport {
  const error = asThrown(thrown);
  const body = typeof error.responseBody === 'string' ? error.responseBody : '';
  const inner = innermost(parseJson(body) ?? error.data ?? thrown);
  const status = findRedirect(error) ?? findStatus(error) ?? findStatus(inner);
  return {
    status,
    code: findCode(inner),
    sentence: errorMessage(inner, body, error),
    headers: (error.responseHeaders as Record<string, string> | undefined) ?? {},
    body: body || (isTooDeep(error.data, MAX_LEVELS) ? '' : JSON.stringify(error.data ?? null)),
    disconnected: status === undefined && isDisconnection(thrown),
  };
}

/** Unwraps the error: most APIs send { error: {...} }, [{ error }] or { response: { error } }. */
function innermost(value: unknown): Thrown {
  let inner = asThrown(Array.isArray(value) ? value[0] : value);
  const response = (inner as { response?: Thrown }).response;
  if (response?.error) inner = response;
  return typeof inner.error === 'object' && inner.error !== null ? asThrown(inner.error) : inner;
}

/** The errors of packages about an answer. Their messages are dumps of a check, which users cannot understand. */
const CHECKS = ['AI_TypeValidationError', 'AI_JSONParseError', 'AI_InvalidResponseDataError'];

function errorMessage(inner: Thrown, body: string, error: Thrown): string {
  if (CHECKS.includes(String(error.name))) return 'The answer has a form that its package does not know.';
  if (body === '' && error.data === undefined && error.cause !== undefined) return deepestMessage(error);
  const message = [inner.message, inner.error, inner.detail].find(
    member => typeof member === 'string' && member !== '',
  );
  // A gateway's message is better than the name of its status, but its HTML page is not.
  const plain = body !== '' && parseJson(body) === undefined && !body.trimStart().startsWith('<');
  return plain ? body : ((message as string | undefined) ?? body);
}

/** `fetch failed` has no details; its cause contains ECONNREFUSED. */
function deepestMessage(error: Thrown): string {
  let message = typeof error.message === 'string' ? error.message : '';
  let cause = asThrown(error.cause);
  for (let depth = 0; depth < 5 && typeof cause.message === 'string'; depth++) {
    message = cause.message || (typeof cause.code === 'string' ? cause.code : message);
    cause = asThrown(cause.cause);
  }
  return message;
}

function isDisconnection(thrown: unknown): boolean {
  let error = asThrown(thrown);
  for (let depth = 0; depth < 6; depth++) {
    const code = typeof error.code === 'string' ? error.code : '';
    if (/^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return true;
    if (error.message === 'terminated' || error.message === 'fetch failed') return true;
    error = asThrown(error.cause);
  }
  return false;
}

/** The status is in status, statusCode or, for errors inside streams, in code. */
function findStatus(error: Thrown): number | undefined {
  return [error.statusCode, error.status, error.code]
    .map(Number)
    .find(status => status >= 400 && status < 600);
}

/** Only the response itself can be a redirect: inside of streams, such a code has another meaning. */
function findRedirect({ statusCode }: Thrown): number | undefined {
  const status = Number(statusCode);
  return isRedirect(status) ? status : undefined;
}

function findCode(inner: Thrown): string | undefined {
  return [inner.code, inner.type, inner.status].find(
    (code): code is string => typeof code === 'string' && Number.isNaN(Number(code)),
  );
}

function parseJson(body: string): unknown {
  if (isTextTooDeep(body, MAX_LEVELS)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // A body that is not JSON is the message itself.
    return undefined;
  }
}

const asThrown = (value: unknown): Thrown =>
  typeof value === 'object' && value !== null ? (value as Thrown) : {};
