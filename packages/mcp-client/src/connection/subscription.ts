/** Subscribes to changes of the tools: servers of the newest revision announce them only to subscribers. */
import type { Log } from '@chat-kernel/kernel';
import type { Client } from '@modelcontextprotocol/client';
import { describeError } from '../rules/failures.ts';
import { BEAT_ANSWER_MS } from '../rules/limits.ts';

export class ChangeSubscription {
  readonly #client: Client;
  readonly #log: Log;
  readonly #server: string;
  #state: 'none' | 'asked' | 'open' = 'none';

  constructor(client: Client, log: Log, server: string) {
    this.#client = client;
    this.#log = log;
    this.#server = server;
  }

  /**
   * Subscribes if that is possible and not yet done. Never rejects. Resolves with true after a new subscription,
   * because earlier changes may have been missed.
   */
  async ensure(): Promise<boolean> {
    const client = this.#client;
    if (this.#state !== 'none' || client.getProtocolEra() !== 'modern') return false;
    if (!client.getServerCapabilities()?.tools?.listChanged) return false;
    this.#state = 'asked';
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: BEAT_ANSWER_MS });
      this.#state = 'open';
      void subscription.closed.then(() => {
        this.#state = 'none';
      });
      return true;
    } catch (error) {
      this.#state = 'none';
      this.#log.debug(
        { server: this.#server, problem: describeError(error) },
        'subscribing to changes of an MCP server failed',
      );
      return false;
    }
  }
}
