/** Sentences for the person at the terminal on why a start failed. */
import { KernelError } from '@chat-kernel/protocol';
import type { SettingsError } from '../settings/settings-error.ts';

/** A failure that a command foresees: its message is a whole sentence for people. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Explains the error in a few lines without a stack where the cause is outside of the program. An unforeseen error
 * keeps its stack.
 */
export function explain(error: unknown): string {
  const { name, code, message, stack } = error as NodeJS.ErrnoException;
  if (name === 'SettingsError') return (error as SettingsError).lines.join('\n');
  if (SENTENCES.has(name) || error instanceof KernelError) return `chat-kernel: ${message}`;
  if (code === 'EADDRINUSE')
    return `chat-kernel: ${message}: another program listens there; choose another --port`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return `chat-kernel: ${message}`;
  return `chat-kernel: ${stack ?? message}`;
}

/** Names of errors whose messages say all: what is wrong, and where. */
const SENTENCES: ReadonlySet<string> = new Set(['StoreError', 'UnknownModel', 'CommandError']);
