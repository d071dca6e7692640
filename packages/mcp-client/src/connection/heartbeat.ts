/** Pings remote servers periodically: a silent disconnect is not detected otherwise. */
import type { Clock } from '@chat-kernel/kernel';
import type { Client } from '@modelcontextprotocol/client';
import { describeError, isAnswer, isForgottenSession } from '../rules/failures.ts';
import { BEAT_ANSWER_MS, BEAT_MS, NO_TIMEOUT, SUSPECT_EVERY_MS } from '../rules/limits.ts';

/** The reason why a connection is lost. */
export interface ConnectionLoss {
  /** A sentence. */
  problem: string;
  /** The server is reachable and has only lost the session, so a new connection needs no delay. */
  forgotten: boolean;
}

interface HeartbeatDeps {
  client: Client;
  clock: Clock;
  /** Whether calls are running: a busy server may answer slowly. */
  isBusy(): boolean;
  lose(loss: ConnectionLoss): void;
  /** Called after each heartbeat that the server has answered. */
  onBeat(): void;
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #lastCheck = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #cancelTimer = () => {};

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Begins the heartbeats. */
  start(): void {
    this.#cancelTimer = this.#deps.clock.after(BEAT_MS, async () => {
      await this.check();
      if (this.#stopped) return;
      this.#deps.onBeat();
      this.start();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  /**
   * Checks immediately, after an error that may mean that the server is unreachable. Many such errors in a row cause
   * one check.
   */
  suspect(): void {
    if (this.#deps.clock.now() - this.#lastCheck >= SUSPECT_EVERY_MS) void this.check();
  }

  /** Sends one ping, and declares the connection lost if there is no answer. */
  async check(): Promise<void> {
    const { client, clock, isBusy, lose } = this.#deps;
    if (this.#stopped) return;
    this.#lastCheck = clock.now();
    const silence = new AbortController();
    const cancelTimer = clock.after(BEAT_ANSWER_MS, () => silence.abort());
    const options = { signal: silence.signal, timeout: NO_TIMEOUT };
    try {
      await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
    } catch (error) {
      if (this.#stopped || isAnswer(error) || (silence.signal.aborted && isBusy())) return;
      this.stop();
      const problem = silence.signal.aborted ? 'it does not respond' : describeError(error);
      lose({ problem, forgotten: isForgottenSession(error) });
    } finally {
      cancelTimer();
    }
  }
}
