/**
 * Stand-by hands: this machine acts for all chats that select it, regardless of their users. Operations are approved
 * elsewhere. When the machine's owner started it, they agreed to this and chose the directories (HANDS-1 to HANDS-6).
 */
import type { Operation, SandboxKind } from '../api/operation.ts';
import type { KernelClient } from '../client/client.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';
import type { Hands } from './hands.ts';
import type { HandsOptions } from './hands-options.ts';
import { HandsRunner } from './runner.ts';

export interface StandByOptions extends Pick<HandsOptions, 'onOperation' | 'onError'> {
  client: KernelClient;
  /** The name under which chats select this machine. */
  name: string;
  /** Stays the same across restarts, and only one process uses it at a time. */
  client_id: string;
  /**
   * A random text of at least 16 characters that stays the same across restarts. Other programs learn the client_id from
   * the kernel; without the secret they cannot take the place of this machine.
   */
  secret?: string | undefined;
  /** For example linux. */
  platform?: string | undefined;
  /** The sandbox of commands, which requests for consent name. */
  sandbox?: SandboxKind | undefined;
  /** The supported actions; `nodeHands` restricts files to the directories in `within`. */
  hands: Hands;
  /**
   * The owner's own check of each operation; if it returns false, the operation is refused. Default: all are allowed.
   */
  handsPolicy?: ((operation: Operation) => boolean) | undefined;
  /** An abort disconnects the machine and kills its running operations. */
  signal?: AbortSignal | undefined;
  onConnection?: ((connection: StreamConnection) => void) | undefined;
}

/**
 * Stands by until the signal aborts: reconnects after failures, continues operations in progress, and posts their
 * results when the network is back.
 * @throws KernelApiError, such as name_taken
 */
export async function standBy({
  client,
  name,
  client_id,
  secret,
  platform,
  sandbox,
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
    // A laptop may sleep for hours; the kernel reports when a response has become obsolete.
    patienceMs: Infinity,
  });
  const chats = new Map<string, string>();
  const leave = () => runner.close();
  signal?.addEventListener('abort', leave);
  try {
    const presence = { client_id, secret, name, platform, sandbox, running: () => runner.running };
    for await (const event of client.handsEvents(presence, { signal, onConnection })) {
      // A restarted kernel no longer knows the operation or its chat.
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
