/** Subscribes to changes of the tools: servers of the newest revision announce them only to subscribers. */
import type { Log } from '@chat-kernel/kernel';
import type { Client } from '@modelcontextprotocol/client';
import { describeError } from '../rules/failures.ts';
import { BEAT_ANSWER_MS } from '../rules/limits.ts';

/**
 * Returns a function that subscribes if that is possible and not yet done. It never rejects, and resolves with true after
 * a new subscription, because earlier changes may have been missed.
 */
export function changeSubscriber(client: Client, log: Log, server: string): () => Promise<boolean> {
  let isSubscribed = false;
  return async () => {
    if (isSubscribed || client.getProtocolEra() !== 'modern') return false;
    if (!client.getServerCapabilities()?.tools?.listChanged) return false;
    isSubscribed = true;
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: BEAT_ANSWER_MS });
      void subscription.closed.then(() => {
        isSubscribed = false;
      });
      return true;
    } catch (error) {
      isSubscribed = false;
      log.debug({ server, problem: describeError(error) }, 'subscribing to changes of an MCP server failed');
      return false;
    }
  };
}
