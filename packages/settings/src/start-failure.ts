/** Explains why a start failed, for the user at the terminal. */
import { KernelError } from '@chat-kernel/protocol';
import type { SettingsError } from './settings-error.ts';

/** An expected failure of a command. Its message is a sentence for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Explains an error in a few lines without a stack if its cause is outside of the program. Unexpected errors keep their
 * stack.
 */
export function explain(error: unknown): string {
  const { name, code, message, stack } = error as NodeJS.ErrnoException;
  if (name === 'SettingsError') return (error as SettingsError).lines.join('\n');
  if (SENTENCES.has(name) || error instanceof KernelError) return `chat-kernel: ${message}`;
  if (code === 'EADDRINUSE')
    return `chat-kernel: ${message}. Another program uses this port. Choose another --port.`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return `chat-kernel: ${message}`;
  return `chat-kernel: ${stack ?? message}`;
}

/** Names of errors with complete messages: what is wrong, and where. */
const SENTENCES: ReadonlySet<string> = new Set(['StoreError', 'UnknownModel', 'CommandError']);
