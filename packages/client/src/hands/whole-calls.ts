/**
 * Tracks calls that the owner has allowed as a whole (HANDS-7): the kernel sends their other operations without
 * decisions. Each runs once without a question, and only if its command or path was in the dialog.
 */
import type { Operation } from '../api/operation.ts';

/** The operations of a call, as its dialog showed them; only the operation itself if there is no call. */
export function operationsOfCall(operation: Operation): Operation[] {
  const { action, params, call } = operation;
  if (call === undefined) return [operation];
  const name = action === 'shell' ? 'command' : 'path';
  return call.map(each => ({ ...operation, params: { ...params, [name]: each } }));
}

export class AllowedCalls {
  /** Chat → the commands and paths that have not run yet. */
  readonly #open = new Map<string, string[]>();

  /** Allows the other operations of the call. The previous call of the same sub-agent is over. */
  allow(operation: Operation): void {
    if (operation.call === undefined) return;
    const own = subject(operation);
    const others = operationsOfCall(operation).map(subject);
    // The operation itself has its decision.
    if (others.includes(own)) others.splice(others.indexOf(own), 1);
    this.#open.set(caller(operation), others);
  }

  /** Whether the operation belongs to an allowed call; it then runs, so it is not allowed again. */
  take(operation: Operation): boolean {
    const open = this.#open.get(caller(operation)) ?? [];
    const index = open.indexOf(subject(operation));
    if (index < 0) return false;
    open.splice(index, 1);
    return true;
  }

  /** Called when a turn of the chat has ended. */
  end(chatId: string): void {
    for (const key of this.#open.keys()) if (key.startsWith(`${chatId} `)) this.#open.delete(key);
  }
}

const caller = ({ chat_id, agent = '' }: Operation): string => `${chat_id} ${agent}`;

const subject = ({ action, params: { command, path, workdir } }: Operation): string =>
  JSON.stringify([action, command ?? path ?? null, workdir ?? null]);
