/**
 * Sends many JSON POST requests to one address over persistent connections. Does not use Node's fetch, which takes 16 MB and
 * whose garbage is collected late.
 */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { http, https } from '@chat-kernel/server/shared';

interface Answer {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
}

export class JsonPosts {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #wire: typeof http | typeof https;
  readonly #agent: InstanceType<typeof http.Agent>;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = new URL(url);
    this.#headers = headers;
    this.#wire = this.#url.protocol === 'https:' ? https : http;
    this.#agent = new this.#wire.Agent({ keepAlive: true });
  }

  /** @throws Error of the network without an answer */
  async post(value: unknown): Promise<Answer> {
    const body = Buffer.from(JSON.stringify(value));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { ...this.#headers, 'content-type': 'application/json', 'content-length': body.length };
    this.#wire
      .request(this.#url, { method: 'POST', agent: this.#agent, headers }, resolve)
      .on('error', reject)
      .end(body);
    const answer = await promise;
    return { status: answer.statusCode as number, body: parsed(await text(answer)) };
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
