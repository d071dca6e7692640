/** Redacts the secrets that the kernel knows, such as provider keys, in the outputs of tools (API-7). */

const HIDDEN = '***';
/** The minimum length of a secret that is replaced. */
const MIN_CHARS = 6;
/** A text of words only, such as `not-needed`, or of digits only, is replaced from this length on. */
const MIN_PLAIN_CHARS = 16;
/** The minimum length of a part of a secret that is replaced at an end of a snapshot. */
const MIN_PART_CHARS = 4;

export class KnownSecrets {
  /** The longest first, so that a secret that contains another is replaced completely. */
  readonly #texts: readonly string[];
  /** All of them in one pass; null if there are none. */
  readonly #any: RegExp | null;

  constructor(secrets: readonly string[]) {
    this.#texts = [...new Set(secrets)].filter(isDistinctive).sort((a, b) => b.length - a.length);
    this.#any = this.#texts.length === 0 ? null : new RegExp(this.#texts.map(RegExp.escape).join('|'), 'g');
  }

  /** Returns the text with `***` for each secret; the same text if it contains none. */
  redact(text: string): string {
    return this.#any === null ? text : text.replace(this.#any, HIDDEN);
  }

  /** Redacts a part of an output that is still growing: it may begin or end in the middle of a secret. */
  redactSnapshot(text: string): string {
    const shown = this.redact(text);
    const head = this.#longestPart((secret, length) => shown.startsWith(secret.slice(-length)));
    const tail = this.#longestPart((secret, length) => shown.endsWith(secret.slice(0, length)));
    // Parts of two secrets may overlap.
    if (head + tail > 0 && head + tail >= shown.length) return HIDDEN;
    return (head > 0 ? HIDDEN : '') + shown.slice(head, shown.length - tail) + (tail > 0 ? HIDDEN : '');
  }

  /** Returns the length of the longest part of a secret for which the check is true; 0 if there is none. */
  #longestPart(matches: (secret: string, length: number) => boolean): number {
    let longest = 0;
    for (const secret of this.#texts)
      for (let length = secret.length - 1; length >= Math.max(MIN_PART_CHARS, longest + 1); length--)
        if (matches(secret, length)) longest = length;
    return longest;
  }
}

/**
 * Whether a text can be recognized as a secret wherever it is. The password `postgres` cannot: replacing it would change
 * what a model reads in ordinary files, and what it writes back.
 */
function isDistinctive(secret: string): boolean {
  const isPlain = /^(?:[\p{L}_. -]+|\d+)$/u.test(secret);
  return secret.length >= (isPlain ? MIN_PLAIN_CHARS : MIN_CHARS);
}
