/** Converts any error of a provider request to the ModelError that ends the turn, and decides whether to retry. */
import { ModelError } from '@chat-kernel/kernel';
import type { ProviderWaitReason, TurnErrorCode } from '@chat-kernel/protocol';
import { toSingleLine } from '@chat-kernel/text';
import { buildErrorReport, type ErrorReport, isRedirect } from './report.ts';
import { StreamFailure } from './stream-failure.ts';

const CODES = ['context_length_exceeded', 'request_too_large', 'string_above_max_length'];

/** One phrase per dialect, in lower case. */
const WORDS = [
  'prompt is too long', // Anthropic
  'exceed context limit', // Anthropic, input and max_tokens together
  'request exceeds the maximum size', // Anthropic, bytes
  'maximum context length', // OpenAI, vLLM, OpenRouter, DeepSeek
  'exceeds the context window', // OpenAI Responses
  'exceeds the available context size', // llama.cpp
  'input token count', // Google
  'input length exceeds the context length', // Ollama
  'exceeds maximum context length', // Ollama, SGLang
  'prompt too long', // Ollama
  'longer than the model', // SGLang, vLLM
  'maximum model length', // vLLM
  'maximum prompt length', // xAI
  'too large for model with', // Mistral
  'reduce the length of the messages', // OpenAI, Groq
  'context length', // LM Studio ("... greater than the context length")
  'context window',
  'exceed_context_size_error', // llama.cpp, its type
];

/** True if an error means that the context window is full. `code`: the error's code or type, if it has one. */
function saysOverflow(code: string | undefined, sentence: string): boolean {
  const lowerCase = sentence.toLowerCase();
  return (code !== undefined && CODES.includes(code)) || WORDS.some(phrase => lowerCase.includes(phrase));
}

/** Maximum characters of the provider's message. */
const LONGEST_SENTENCE = 400;

export interface TripFailure {
  error: ModelError;
  report: ErrorReport;
  /** True if the same request may succeed when repeated, provided that no part of its answer was shown. */
  again: boolean;
}

/** The facts of a provider that error messages need. */
export interface FailedProvider {
  /** The name in the settings. */
  name: string;
  /** Texts that messages must not contain. */
  secrets: string[];
  /** The path in which addresses of this kind end, if the address in the settings has no path. */
  missing_path?: string;
}

/** Creates the failure. */
export function toTripFailure(thrown: unknown, provider: FailedProvider): TripFailure {
  if (thrown instanceof ModelError) {
    const report = {
      status: undefined,
      code: undefined,
      sentence: thrown.message,
      headers: {},
      body: '',
      disconnected: false,
    };
    return { error: thrown, report, again: false };
  }
  const broken = thrown instanceof StreamFailure;
  const report = buildErrorReport(broken ? (thrown.cause ?? thrown) : thrown);
  const code = toErrorCode(report);
  const passing = isPassing(report, broken && thrown.cause === undefined);
  const retryable =
    code === 'upstream_rate_limited' ? !isOutOfCredit(report) : code === 'upstream_error' && passing;
  // The text of a redirect is the name of its status, or a page for people.
  const sentence = isRedirect(report.status) ? '' : report.sentence;
  const message = `${provider.name} ${describeFailure(report, broken)}${spoken(sentence, provider.secrets)}`;
  const hint = findAddressHint(report, provider);
  const whole = hint === undefined ? message : `${message.replace(/[.]$/, '')}. ${hint}`;
  return { error: new ModelError(code, whole, retryable, thrown), report, again: retryable };
}

/** Returns why the request is retried (WIRE-6). */
export function toWaitReason(
  error: ModelError,
  { status, code, disconnected }: ErrorReport,
): ProviderWaitReason {
  if (error.code === 'upstream_rate_limited') return 'rate_limit';
  const hasAnswer = status !== undefined || code !== undefined;
  return hasAnswer && !disconnected ? 'overload' : 'connection';
}

/** Returns the error for a web page as the response, for example the home page of a service. */
export const webPageError = ({ name, missing_path }: FailedProvider): ModelError =>
  new ModelError('upstream_error', `${name} answered with a web page. ${wrongAddress(missing_path)}`, false);

/** A "not found" response means a wrong address, or a wrong model name, which the provider's message mentions. */
function findAddressHint(
  { status, body }: ErrorReport,
  { missing_path }: FailedProvider,
): string | undefined {
  if (status !== 404 && status !== 405) return undefined;
  const isPage = body.trimStart().startsWith('<');
  return isPage || missing_path !== undefined ? wrongAddress(missing_path) : undefined;
}

const wrongAddress = (missing: string | undefined): string =>
  missing === undefined
    ? 'Its base_url may not be the address of an API.'
    : `Its base_url may lack ${missing} at its end.`;

function toErrorCode({ status, code, sentence }: ErrorReport): TurnErrorCode {
  if (status === 429 || /rate_limit|RESOURCE_EXHAUSTED|insufficient_quota/.test(code ?? ''))
    return 'upstream_rate_limited';
  if (status === 401 || status === 403) return 'upstream_auth';
  if (/authentication_error|permission_error|invalid_api_key/.test(code ?? '')) return 'upstream_auth';
  // Google returns 400 for an invalid key.
  if (/API key (not valid|expired|not found)/i.test(sentence)) return 'upstream_auth';
  return saysOverflow(code, sentence) ? 'context_overflow' : 'upstream_error';
}

/** Waiting does not help an account without credit. */
const isOutOfCredit = ({ code }: ErrorReport) => code === 'insufficient_quota';

function isPassing({ status, code, disconnected }: ErrorReport, brokeOff: boolean): boolean {
  if (status !== undefined) return status >= 500 || [408, 409, 425].includes(status);
  return (
    disconnected || brokeOff || /overloaded|server_error|api_error|unavailable|timeout/i.test(code ?? '')
  );
}

function describeFailure({ status, disconnected }: ErrorReport, broken: boolean): string {
  if (isRedirect(status))
    return 'answered with a redirect, which is not followed: set base_url to the final address';
  if (status !== undefined) return `answered ${status}`;
  if (disconnected) return 'could not be reached, or broke the connection';
  return broken ? 'broke off its answer' : 'failed';
}

/** Maximum characters of the provider's message that are examined, in case of an error page of megabytes. */
const LONGEST_READ = 8 * 1024;

function spoken(sentence: string, secrets: string[]): string {
  let message = toSingleLine(firstWords(sentence));
  // Longest first, so that a secret that contains another is hidden completely.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length))
    if (secret.length > 3) message = message.replaceAll(secret, '***');
  message = message
    // bounded: by LONGEST_READ.
    .replace(/\b(?:sk|key|gsk|xai|AIza)[-_]?[\w*-]{12,}/g, '***')
    .replace(/Bearer \S+/gi, 'Bearer ***')
    // A key that the provider has masked itself still shows its beginning and end.
    .replace(/[\w*-]+/g, word => (word.includes('***') ? '***' : word));
  if (message.length > LONGEST_SENTENCE) message = `${message.slice(0, LONGEST_SENTENCE)}…`;
  return message === '' ? '.' : `: ${message}`;
}

/**
 * Returns the beginning of a long text without its last word, which may be half of a secret and so unrecognizable. A
 * single endless word returns an empty text.
 */
function firstWords(text: string): string {
  if (text.length <= LONGEST_READ) return text;
  const start = text.slice(0, LONGEST_READ);
  const end = start.lastIndexOf(' ');
  return end > LONGEST_READ / 2 ? start.slice(0, end) : '';
}
