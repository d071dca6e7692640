/** The turns of one chat: one runs, the others wait in the order they came (TURN-12). */

import type { TurnFeed } from '../feed/feed.ts';
import type { TurnSource } from '../feed/follow.ts';
import { CANCELLED, RESTARTED } from './ending.ts';
import type { RunningTurn } from './running.ts';

interface Place {
  turn: RunningTurn;
  /** Whether its message stands in the chat already. */
  placed: boolean;
  ended: PromiseWithResolvers<void>;
}

export class Lane implements TurnSource {
  readonly #run: (turn: RunningTurn, placed: boolean) => Promise<void>;
  readonly #onLeave: () => void;
  readonly #places: Place[] = [];
  readonly #followers = new Set<(feed: TurnFeed | null) => void>();
  #busy = false;
  #stopped = false;

  /** `run` never rejects; `onLeave` is called when a turn or a follower has left, which may make it idle. */
  constructor(run: (turn: RunningTurn, placed: boolean) => Promise<void>, onLeave: () => void) {
    this.#run = run;
    this.#onLeave = onLeave;
  }

  /** The turns, the running one first. */
  get turns(): RunningTurn[] {
    return this.#places.map(place => place.turn);
  }

  get current(): TurnFeed | undefined {
    return this.#places[0]?.turn.feed;
  }

  /** Nobody would miss it. */
  get idle(): boolean {
    return this.#places.length === 0 && this.#followers.size === 0;
  }

  /** Whether this turn is the one that runs. */
  runs(turn: RunningTurn): boolean {
    return this.#busy && this.#places[0]?.turn === turn;
  }

  /** Runs the turn when those before it have ended; one that was stored as waiting says so first. */
  add(turn: RunningTurn, placed: boolean): void {
    if (!placed) turn.feed.queued(this.#places.length);
    this.#places.push({ turn, placed, ended: Promise.withResolvers() });
    void this.#work();
  }

  onBegin(callback: (feed: TurnFeed | null) => void): () => void {
    this.#followers.add(callback);
    return () => {
      if (this.#followers.delete(callback)) this.#onLeave();
    };
  }

  /** Cancels the running turn, with `queued` those behind it too; answers the first that ended by it, once all have. */
  async cancel(queued: boolean): Promise<RunningTurn | null> {
    const running = this.#busy ? this.#places[0] : undefined;
    const ending = queued ? [...this.#places] : running ? [running] : [];
    for (const place of ending) place.turn.end(CANCELLED);
    await Promise.all(ending.map(place => place.ended.promise));
    // One that was about to end as it came has ended in its own way.
    return ending.find(({ turn }) => turn.ended === 'cancelled')?.turn ?? null;
  }

  /** Starts nothing more; what runs may go on until `deadline`, then it is closed as after a crash. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.#stopped = true;
    const running = this.#busy ? this.#places[0] : undefined;
    void deadline.then(() => running?.turn.end(RESTARTED));
    await running?.ended.promise;
    for (const place of this.#places) {
      place.turn.feed.close();
      // It goes on after a restart; whoever waits for its end does not wait for that.
      place.ended.resolve();
    }
    this.dismiss();
  }

  /** Tells those who follow that no turn will begin any more. */
  dismiss(): void {
    for (const callback of this.#followers) callback(null);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let place = this.#places[0]; place !== undefined && !this.#stopped; place = this.#places[0]) {
      for (const callback of this.#followers) callback(place.turn.feed);
      await this.#run(place.turn, place.placed);
      this.#places.shift();
      place.ended.resolve();
      this.#onLeave();
    }
    this.#busy = false;
  }
}
