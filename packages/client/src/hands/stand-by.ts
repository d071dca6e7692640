/**
 * Stand-by hands: this machine acts for chats that name it, whoever speaks in them. Whether an operation may run was asked
 * elsewhere; the machine's owner has said at its start that this counts, and for which directories (HANDS-1 to HANDS-6).
 */
import type { Operation } from '../api/operation.ts';
import type { KernelClient } from '../client/client.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';
import type { Hands } from './hands.ts';
import type { HandsOptions } from './hands-options.ts';
import { HandsRunner } from './runner.ts';

export interface StandByOptions extends Pick<HandsOptions, 'onOperation' | 'onError'> {
  client: KernelClient;
  /** The name by which chats find this machine. */
  name: string;
  /** Stays the same from one start to the next, and is used by one process at a time. */
  client_id: string;
  /** Such as linux. */
  platform?: string | undefined;
  /** What may be done here: `nodeHands` holds files to the directories in `within`. */
  hands: Hands;
  /** The owner's own word on each operation; an operation that he does not allow is refused. Default: all are allowed. */
  handsPolicy?: ((operation: Operation) => boolean) | undefined;
  /** Aborted: the machine leaves, and what runs is killed. */
  signal?: AbortSignal | undefined;
  onConnection?: ((connection: StreamConnection) => void) | undefined;
}

/**
 * Stands by until the signal: connects again whenever the line breaks, goes on with what it began, and posts the results
 * when the network is back.
 * @throws KernelApiError, such as name_taken
 */
export async function standBy({
  client,
  name,
  client_id,
  platform,
  hands,
  handsPolicy = () => true,
  signal,
  onConnection,
  ...callbacks
}: StandByOptions): Promise<void> {
  const runner = new HandsRunner(client, {
    ...callbacks,
    hands,
    client_id,
    approve: () => 'deny',
    record: { covers: handsPolicy, give() {} },
    // A laptop may sleep for hours; the kernel says when nobody wants the answer any more.
    patienceMs: Infinity,
  });
  const chats = new Map<string, string>();
  const leave = () => runner.close();
  signal?.addEventListener('abort', leave);
  try {
    const presence = { client_id, name, platform, running: () => runner.running };
    for await (const event of client.handsEvents(presence, { signal, onConnection })) {
      // A kernel that has started anew knows the operation no more, nor its chat.
      const chatId = chats.get(event.id) ?? event.chat_id;
      if (event.type === 'client_op') chats.set(event.id, chatId);
      else chats.delete(event.id);
      runner.take(chatId, event);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener('abort', leave);
    runner.close();
    await runner.idle();
  }
}
