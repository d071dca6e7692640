/** Whether a server on the network is still there: nothing tells, so it is asked. */
import type { Clock } from '@chat-kernel/kernel';
import type { Client } from '@modelcontextprotocol/client';
import { isAnswer, isForgottenSession, reasonOf } from '../rules/failures.ts';
import { BEAT_ANSWER_MS, BEAT_MS, NO_TIMEOUT, SUSPECT_EVERY_MS } from '../rules/limits.ts';

/** How a connection ended. */
export interface Loss {
  /** A sentence. */
  problem: string;
  /** The server is there and has only forgotten who speaks: nothing is gained by waiting. */
  forgotten: boolean;
}

interface Parts {
  client: Client;
  clock: Clock;
  /** Calls run: who is busy may be slow to say that it is there. */
  isBusy(): boolean;
  lose(loss: Loss): void;
  /** Told at each beat that found the server there. */
  onBeat(): void;
}

export class Pulse {
  readonly #parts: Parts;
  #lastCheck = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #stopWaiting = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks now and then from here on. */
  start(): void {
    this.#stopWaiting = this.#parts.clock.after(BEAT_MS, async () => {
      await this.check();
      if (this.#stopped) return;
      this.#parts.onBeat();
      this.start();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stopWaiting();
  }

  /** Something went wrong that may mean that the server is gone. Many such things in a row are one. */
  suspect(): void {
    if (this.#parts.clock.now() - this.#lastCheck >= SUSPECT_EVERY_MS) void this.check();
  }

  /** Declares the connection lost where the server is not there. */
  async check(): Promise<void> {
    const { client, clock, isBusy, lose } = this.#parts;
    if (this.#stopped) return;
    this.#lastCheck = clock.now();
    const silence = new AbortController();
    const stopWatch = clock.after(BEAT_ANSWER_MS, () => silence.abort());
    const options = { signal: silence.signal, timeout: NO_TIMEOUT };
    try {
      await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
    } catch (error) {
      if (this.#stopped || isAnswer(error) || (silence.signal.aborted && isBusy())) return;
      this.stop();
      const problem = silence.signal.aborted ? 'it does not answer' : reasonOf(error);
      lose({ problem, forgotten: isForgottenSession(error) });
    } finally {
      stopWatch();
    }
  }
}
