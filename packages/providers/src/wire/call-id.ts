/** Converts call ids: they move between providers with a history, and each API allows other characters. */
import { createHash } from 'node:crypto';

/** Letters, digits, _ and -, at most 64: accepted by OpenAI, Anthropic and Google. */
export const plainCallId = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : `call_${digest(id, 24)}`);

/** Mistral accepts exactly nine letters and digits. */
export const nineLetterCallId = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9));

const digest = (id: string, length: number) => createHash('sha256').update(id).digest('hex').slice(0, length);
