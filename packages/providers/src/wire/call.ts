/**
 * Converts the ids and names of calls. Both come from a model, possibly of another provider, and go back with the history;
 * each API allows other characters, and refuses the whole request otherwise (WIRE-7).
 */
import { createHash } from 'node:crypto';

/** Letters, digits, _ and -, at most 64: accepted by OpenAI, Anthropic and Google. */
export const plainCallId = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : `call_${digest(id, 24)}`);

/** Mistral accepts exactly nine letters and digits. */
export const nineLetterCallId = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9));

/** Chat completions have no rule, and models may know the ids that their server made; OpenAI limits the length. */
export const visibleCallId = (id: string): string => (/^[!-~]{1,64}$/.test(id) ? id : plainCallId(id));

/**
 * Letters, digits, _ and -, at most 64, as all tools of the kernel have. Packages look names up in plain objects, which have
 * a `constructor`.
 */
export const plainName = (name: string): string =>
  name in Object.prototype ? `${name}_` : name.replace(/[^\w-]/gu, '_').slice(0, 64) || '_';

/** Google requires a letter or _ at the beginning. */
export const googleName = (name: string): string => plainName(name.replace(/^(?=[^a-zA-Z_])/, '_'));

const digest = (id: string, length: number) => createHash('sha256').update(id).digest('hex').slice(0, length);
