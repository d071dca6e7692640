/** The failure of a trip: any thrown thing → the ModelError that the turn ends with, and whether to try again. */
import { ModelError } from '@chat-kernel/kernel';
import type { TurnErrorCode } from '@chat-kernel/protocol';
import { saysOverflow } from './overflow.ts';
import { type ErrorReport, reportOf } from './report.ts';
import { StreamFailure } from './stream.ts';

/** Most characters of the provider's words. */
const LONGEST_SENTENCE = 400;

export interface TripFailure {
  error: ModelError;
  report: ErrorReport;
  /** True where the same request may succeed when sent again, as long as nothing of its answer was shown. */
  again: boolean;
}

/** A provider, as the message about its failure needs it. */
export interface FailedProvider {
  /** The name in the settings. */
  name: string;
  /** Texts that no message may show. */
  secrets: string[];
  /** The path that addresses of this kind end in, where the settings name an address without any path. */
  missing_path?: string;
}

/** Makes the failure. */
export function failureOf(thrown: unknown, provider: FailedProvider): TripFailure {
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
  const report = reportOf(broken ? (thrown.cause ?? thrown) : thrown);
  const code = codeOf(report);
  const passing = isPassing(report, broken && thrown.cause === undefined);
  const retryable =
    code === 'upstream_rate_limited' ? !isOutOfCredit(report) : code === 'upstream_error' && passing;
  const message = `${provider.name} ${verbOf(report, broken)}${spoken(report.sentence, provider.secrets)}`;
  const hint = hintOf(report, provider);
  const whole = hint === undefined ? message : `${message.replace(/[.]$/, '')}. ${hint}`;
  return { error: new ModelError(code, whole, retryable, thrown), report, again: retryable };
}

/** The failure of a trip that was answered with a page for people, as the front page of a service is. */
export const webPageError = ({ name, missing_path }: FailedProvider): ModelError =>
  new ModelError('upstream_error', `${name} answered with a web page. ${wrongAddress(missing_path)}`, false);

/** An answer of "not found" means a wrong address, or a wrong name of a model, of which the provider then speaks. */
function hintOf({ status, body }: ErrorReport, { missing_path }: FailedProvider): string | undefined {
  if (status !== 404 && status !== 405) return undefined;
  const isPage = body.trimStart().startsWith('<');
  return isPage || missing_path !== undefined ? wrongAddress(missing_path) : undefined;
}

const wrongAddress = (missing: string | undefined): string =>
  missing === undefined
    ? 'Its base_url may not be the address of an API.'
    : `Its base_url may lack ${missing} at its end.`;

function codeOf({ status, code, sentence }: ErrorReport): TurnErrorCode {
  if (status === 429 || /rate_limit|RESOURCE_EXHAUSTED|insufficient_quota/.test(code ?? ''))
    return 'upstream_rate_limited';
  if (status === 401 || status === 403) return 'upstream_auth';
  if (/authentication_error|permission_error|invalid_api_key/.test(code ?? '')) return 'upstream_auth';
  // Google answers a wrong key with a 400.
  if (/API key (not valid|expired|not found)/i.test(sentence)) return 'upstream_auth';
  return saysOverflow(code, sentence) ? 'context_overflow' : 'upstream_error';
}

/** Waiting does not help an account without money. */
const isOutOfCredit = ({ code }: ErrorReport) => code === 'insufficient_quota';

function isPassing({ status, code, disconnected }: ErrorReport, brokeOff: boolean): boolean {
  if (status !== undefined) return status >= 500 || [408, 409, 425].includes(status);
  return (
    disconnected || brokeOff || /overloaded|server_error|api_error|unavailable|timeout/i.test(code ?? '')
  );
}

function verbOf({ status, disconnected }: ErrorReport, broken: boolean): string {
  if (status !== undefined) return `answered ${status}`;
  if (disconnected) return 'could not be reached, or broke the connection';
  return broken ? 'broke off its answer' : 'failed';
}

/** Characters of the provider's words that are looked at; an error page of megabytes costs no more than this. */
const LONGEST_READ = 8 * 1024;

function spoken(sentence: string, secrets: string[]): string {
  let words = firstWords(sentence).replace(/\s+/g, ' ').trim();
  // Longest first, so that a secret that contains another is hidden whole.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length))
    if (secret.length > 3) words = words.replaceAll(secret, '***');
  words = words
    // bounded: by LONGEST_READ.
    .replace(/\b(?:sk|key|gsk|xai|AIza)[-_]?[\w*-]{12,}/g, '***')
    .replace(/Bearer \S+/gi, 'Bearer ***')
    // A key that a provider has starred itself still shows how it begins and ends.
    .replace(/[\w*-]+/g, word => (word.includes('***') ? '***' : word));
  if (words.length > LONGEST_SENTENCE) words = `${words.slice(0, LONGEST_SENTENCE)}…`;
  return words === '' ? '.' : `: ${words}`;
}

/** The beginning of a long text, without its last word: what was cut there may be half of a secret, which nobody would know. One endless word says nothing. */
function firstWords(text: string): string {
  if (text.length <= LONGEST_READ) return text;
  const start = text.slice(0, LONGEST_READ);
  const end = start.lastIndexOf(' ');
  return end > LONGEST_READ / 2 ? start.slice(0, end) : '';
}
