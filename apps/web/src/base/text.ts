/** Small text helpers. */
import { isUnreachable } from '@chat-kernel/client';

/** Returns the first line of a text, truncated to a length. */
export function firstLine(text: string, length = 120): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** Returns the message of an error for the user. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isUnreachable(error) ? "Can't reach Chat Kernel." : error.message;
}

/** Joins class names and drops falsy ones. */
export const classes = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');
