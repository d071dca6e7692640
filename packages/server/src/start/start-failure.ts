/** Why a start failed, said to the person at the terminal. */
import type { SettingsError } from '../settings/settings-error.ts';

/** A few lines, no stack: what is wrong is outside the program. An error that nobody foresaw keeps its stack. */
export function explain(error: unknown): string {
  const { name, code, message, stack } = error as NodeJS.ErrnoException;
  if (name === 'SettingsError') return (error as SettingsError).lines.join('\n');
  if (code === 'EADDRINUSE')
    return `chat-kernel: ${message}: another program listens there; choose another --port`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return `chat-kernel: ${message}`;
  return `chat-kernel: ${stack ?? message}`;
}
