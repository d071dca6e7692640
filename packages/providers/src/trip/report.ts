/** The facts in a thrown thing, whichever package, server or socket it came from. */
import { isTextTooDeep, isTooDeep, MOST_LEVELS } from '@chat-kernel/protocol';

export interface ErrorReport {
  status: number | undefined;
  /** Code or type, as the provider names it. */
  code: string | undefined;
  /** The provider's words; "" where it gave none. */
  sentence: string;
  /** Headers by their names in lower case. */
  headers: Record<string, string>;
  /** The error as the provider sent it. */
  body: string;
  /** True where no answer came: the connection could not be made, or broke. */
  disconnected: boolean;
}

/** Members that the errors of packages, servers and sockets may have. */
interface Thrown {
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

export function reportOf(thrown: unknown): ErrorReport {
  const error = asThrown(thrown);
  const body = typeof error.responseBody === 'string' ? error.responseBody : '';
  const inner = innermost(parsed(body) ?? error.data ?? thrown);
  const status = statusOf(error) ?? statusOf(inner);
  return {
    status,
    code: codeOf(inner),
    sentence: sentenceOf(inner, body, error),
    headers: (error.responseHeaders as Record<string, string> | undefined) ?? {},
    body: body || (isTooDeep(error.data, MOST_LEVELS) ? '' : JSON.stringify(error.data ?? null)),
    disconnected: status === undefined && isDisconnection(thrown),
  };
}

/** Unwraps the error: most wires send { error: {...} }, [{ error }] or { response: { error } }. */
function innermost(value: unknown): Thrown {
  let inner = asThrown(Array.isArray(value) ? value[0] : value);
  const response = (inner as { response?: Thrown }).response;
  if (response?.error) inner = response;
  return typeof inner.error === 'object' && inner.error !== null ? asThrown(inner.error) : inner;
}

function sentenceOf(inner: Thrown, body: string, error: Thrown): string {
  if (body === '' && error.data === undefined && error.cause !== undefined) return deepestMessage(error);
  const words = [inner.message, inner.error, inner.detail].find(
    member => typeof member === 'string' && member !== '',
  );
  // A gateway's words are better than the name of its status; its page of HTML is not.
  const plain = body !== '' && parsed(body) === undefined && !body.trimStart().startsWith('<');
  return plain ? body : ((words as string | undefined) ?? body);
}

/** `fetch failed` says nothing; its cause says ECONNREFUSED. */
function deepestMessage(error: Thrown): string {
  let words = typeof error.message === 'string' ? error.message : '';
  let cause = asThrown(error.cause);
  for (let depth = 0; depth < 5 && typeof cause.message === 'string'; depth++) {
    words = cause.message || (typeof cause.code === 'string' ? cause.code : words);
    cause = asThrown(cause.cause);
  }
  return words;
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

/** The status stands in status, statusCode or, in errors inside streams, in code. */
function statusOf(error: Thrown): number | undefined {
  return [error.statusCode, error.status, error.code]
    .map(Number)
    .find(status => status >= 400 && status < 600);
}

function codeOf(inner: Thrown): string | undefined {
  return [inner.code, inner.type, inner.status].find(
    (code): code is string => typeof code === 'string' && Number.isNaN(Number(code)),
  );
}

function parsed(body: string): unknown {
  if (isTextTooDeep(body, MOST_LEVELS)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // A body that is no JSON is the sentence itself.
    return undefined;
  }
}

const asThrown = (value: unknown): Thrown =>
  typeof value === 'object' && value !== null ? (value as Thrown) : {};
