/** What a thrown thing says about itself, whichever package, server or socket it came from. */

export interface Report {
  status: number | undefined;
  /** Code or type, as the provider names it. */
  code: string | undefined;
  /** The provider's own words; "" where it said none. */
  sentence: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** The error as the provider sent it. */
  body: string;
  /** Nothing was answered: the connection could not be made, or broke. */
  disconnected: boolean;
}

/** The members of the many errors that are looked at. */
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

export function reportOf(thrown: unknown): Report {
  const error = asThrown(thrown);
  const body = typeof error.responseBody === 'string' ? error.responseBody : '';
  const told = innermost(parsed(body) ?? error.data ?? thrown);
  const status = statusOf(error) ?? statusOf(told);
  return {
    status,
    code: codeOf(told),
    sentence: sentenceOf(told, body, error),
    headers: (error.responseHeaders as Record<string, string> | undefined) ?? {},
    body: body || JSON.stringify(error.data ?? null),
    disconnected: status === undefined && isDisconnection(thrown),
  };
}

/** Most wires wrap the error: { error: {...} }, [{ error }], { response: { error } }. */
function innermost(value: unknown): Thrown {
  let told = asThrown(Array.isArray(value) ? value[0] : value);
  const response = (told as { response?: Thrown }).response;
  if (response?.error) told = response;
  return typeof told.error === 'object' && told.error !== null ? asThrown(told.error) : told;
}

function sentenceOf(told: Thrown, body: string, error: Thrown): string {
  if (body === '' && error.data === undefined && error.cause !== undefined) return deepestMessage(error);
  const words = [told.message, told.error, told.detail].find(said => typeof said === 'string' && said !== '');
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

/** Numbers stand as status, statusCode or, in errors inside streams, as code. */
function statusOf(error: Thrown): number | undefined {
  return [error.statusCode, error.status, error.code]
    .map(Number)
    .find(status => status >= 400 && status < 600);
}

function codeOf(told: Thrown): string | undefined {
  return [told.code, told.type, told.status].find(
    (code): code is string => typeof code === 'string' && Number.isNaN(Number(code)),
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON: the words are the body itself.
    return undefined;
  }
}

const asThrown = (value: unknown): Thrown =>
  typeof value === 'object' && value !== null ? (value as Thrown) : {};
