/** Creates snapshots of progress: the end of the output, without secrets if it is a client's output (OP-8). */
const MAX_BYTES = 8 * 1024;
/**
 * The number of characters at the end that are searched for secrets: more than are shown, so that no secret is cut in
 * two and missed.
 */
const SCRUBBED_CHARS = 256 * 1024;

/**
 * The last 8 KiB of a text as UTF-8, beginning with a whole character.
 * @param secrets texts that are replaced by `***`
 */
export function toSnapshot(output: string, secrets: readonly string[]): string {
  return lastBytes(redactSecrets(output.slice(-SCRUBBED_CHARS), secrets));
}

/** The last 8 KiB of a text as UTF-8, beginning with a whole character. */
export function lastBytes(text: string): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - MAX_BYTES);
  // A byte 10xxxxxx belongs to a character that began before it.
  while (start > 0 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return bytes.toString('utf8', start);
}

const HIDDEN = '***';
/** The minimum length of a secret in characters: a shorter one would hide ordinary words. */
const MIN_CHARS = 6;

/**
 * Formats of keys that are detected anywhere. An open-ended run matches as soon as it is long enough, and a run that is
 * too short fails quickly: no input can make these expressions slow.
 */
const SHAPES: readonly RegExp[] = [
  // bounded: one run a start.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // OpenAI, Anthropic, Stripe and their like. bounded: one run a start.
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  // GitHub, GitLab, npm, Hugging Face. bounded: one run a start.
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g,
  // AWS, Google, Slack. bounded: one run a start.
  /\b(?:A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{30,}|xox[abeoprs]-[A-Za-z0-9-]{10,})/g,
  // JSON Web Tokens. bounded: one run a start.
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
];
/** Names whose value is a secret regardless of its format. */
const NAMED_SECRETS: readonly RegExp[] = [
  // bounded: one run a start.
  /(\b(?:bearer|basic)\s{1,4})[A-Za-z0-9._~+/=-]{12,}/gi,
  // bounded: one run a start.
  /((?:api_?key|access_?key|secret|token|passw(?:or)?d)["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"',;&]{6,}/gi,
  // bounded: one run a start.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/gi,
];

/**
 * Returns the text with each secret replaced by `***`.
 * @param secrets exact texts; those shorter than 6 characters are ignored
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_CHARS) redacted = redacted.replaceAll(secret, HIDDEN);
  }
  for (const shape of SHAPES) redacted = redacted.replace(shape, HIDDEN);
  for (const pattern of NAMED_SECRETS) redacted = redacted.replace(pattern, `$1${HIDDEN}`);
  return redacted;
}
