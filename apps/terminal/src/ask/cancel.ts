/** Ctrl-C, SIGTERM and a reader that went away cancel the turn; a second signal ends the process at once. */
import type { KernelClient, TurnEvent } from '@chat-kernel/client';
import { EXIT } from './exit.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Watch {
  /** The cancel was asked for here. */
  readonly asked: boolean;
  take(event: TurnEvent): void;
  stop(): void;
}

export function cancelOnSignal(client: KernelClient, chatId: string, say: (line: string) => void): Watch {
  let asked = false;
  let begun = false;
  const cancel = () => {
    // A turn in the queue can't be cancelled alone, and the one that runs is another's.
    if (asked || !begun) process.exit(EXIT.interrupted);
    asked = true;
    client.cancelTurn(chatId).catch(error => say(`chat-kernel ask: ${error.message}`));
  };
  const broken = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    cancel();
  };
  for (const signal of SIGNALS) process.on(signal, cancel);
  process.stdout.on('error', broken);
  return {
    get asked() {
      return asked;
    },
    take(event) {
      begun ||= event.type !== 'queued' && event.type !== 'sleeping';
    },
    stop() {
      for (const signal of SIGNALS) process.off(signal, cancel);
      process.stdout.off('error', broken);
    },
  };
}
