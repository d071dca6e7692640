/** Call ids travel between providers with a history; each wire has an alphabet for them. */
import { createHash } from 'node:crypto';

/** Letters, digits, _ and -, at most 64: OpenAI, Anthropic and Google all take these. */
export const plainCallId = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : `call_${digest(id, 24)}`);

/** Mistral takes exactly nine letters and digits. */
export const nineLetterCallId = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9));

const digest = (id: string, length: number) => createHash('sha256').update(id).digest('hex').slice(0, length);
