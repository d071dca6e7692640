/** Posts a stored message to the kernel, so that a retry after a crash attaches to the existing turn. */
import type { KernelClient, TurnStart, TurnStream } from '@chat-kernel/client';
import { hasStatus } from './kernel-errors.ts';

/** The kernel remembers an idempotency key for 24 hours. After that, a retry would post a second message. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;

/** @param since the time of the first attempt, in milliseconds */
export const isKeyAlive = (since: number): boolean => Date.now() - since < KEY_LIFETIME_MS;

/** Thrown if the message may have been posted, but the kernel no longer remembers its key. */
export class KeyExpired extends Error {
  constructor() {
    super('the module was away for too long. What was answered stands in the chat');
    this.name = 'KeyExpired';
  }
}

interface StoredTurn {
  chat_id: string;
  /** The same for each attempt: a key identifies one request. */
  request: TurnStart;
  key: string;
  /** The time of the first attempt, in milliseconds; null if there was none. */
  since: number | null;
}

interface PostOptions {
  kernel: KernelClient;
  signal: AbortSignal;
  /** Creates and stores another chat if the owner has deleted that of the message. Resolves with its id. */
  newChat?: (() => Promise<string>) | undefined;
}

/**
 * Resolves when the kernel has the message.
 * @throws KeyExpired, KernelApiError, a network error if the kernel is unreachable, or the reason of the signal
 */
export async function postTurn(
  turn: StoredTurn,
  { kernel, signal, newChat }: PostOptions,
): Promise<TurnStream> {
  const { chat_id, request, key, since } = turn;
  if (since !== null && !isKeyAlive(since)) throw new KeyExpired();
  try {
    const stream = kernel.turn(chat_id, request, { idempotencyKey: key, signal });
    await stream.started;
    return stream;
  } catch (error) {
    if (!newChat || !hasStatus(error, 404)) throw error;
    return postTurn({ ...turn, chat_id: await newChat() }, { kernel, signal });
  }
}
