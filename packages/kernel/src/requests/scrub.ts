/**
 * Scrubbing: secrets are taken out of texts that come from machines, keys by their shape and those of the settings by
 * their text.
 */

const HIDDEN = '***';
/** The shortest secret that is looked for, in characters: a shorter one would hide ordinary words. */
const LEAST_CHARS = 6;

/**
 * Shapes that are keys wherever they stand. An open-ended run matches as soon as it is long enough, and one that is too
 * short is soon tried: no input can make them slow.
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
/** Names whose value is a secret, whatever it looks like. */
const NAMED: readonly RegExp[] = [
  // bounded: one run a start.
  /(\b(?:bearer|basic)\s{1,4})[A-Za-z0-9._~+/=-]{12,}/gi,
  // bounded: one run a start.
  /((?:api_?key|access_?key|secret|token|passw(?:or)?d)["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"',;&]{6,}/gi,
  // bounded: one run a start.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/gi,
];

/**
 * The text with `***` in the place of each secret.
 * @param secrets exact texts; those of less than 6 characters are not looked for
 */
export function scrub(text: string, secrets: readonly string[]): string {
  let scrubbed = text;
  for (const secret of secrets) {
    if (secret.length >= LEAST_CHARS) scrubbed = scrubbed.replaceAll(secret, HIDDEN);
  }
  for (const shape of SHAPES) scrubbed = scrubbed.replace(shape, HIDDEN);
  for (const named of NAMED) scrubbed = scrubbed.replace(named, `$1${HIDDEN}`);
  return scrubbed;
}
