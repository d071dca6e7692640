/** The turns of one chat: one runs, the others wait in the order they came (TURN-12). */

import type { TurnFeed } from '../feed/feed.ts';
import type { TurnSource } from '../feed/follow.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import { CANCELLED } from '../turn/ending.ts';
import type { RunningTurn } from '../turn/running-turn.ts';

interface QueuedTurn {
  turn: RunningTurn;
  /** True where its message has its place in the chat already. */
  placed: boolean;
  ended: PromiseWithResolvers<void>;
  /** Set while the turn is being dropped; resolves with whether it was. */
  dropping?: Promise<boolean>;
}

export class ChatQueue implements TurnSource {
  readonly #run: (turn: RunningTurn, placed: boolean) => Promise<void>;
  readonly #sleeper: Pick<Sleeper, 'gate' | 'state'>;
  readonly #onLeave: () => void;
  readonly #turns: QueuedTurn[] = [];
  readonly #followers = new Set<(feed: TurnFeed | null) => void>();
  #busy = false;
  /** The turn that runs; a turn that waits for the kernel to wake does not run. */
  #running: QueuedTurn | undefined;
  #stopped = false;

  /**
   * @param run never rejects
   * @param onLeave called when a turn or a follower has left, which may make the queue idle
   */
  constructor(
    run: (turn: RunningTurn, placed: boolean) => Promise<void>,
    onLeave: () => void,
    sleeper: Pick<Sleeper, 'gate' | 'state'>,
  ) {
    this.#run = run;
    this.#onLeave = onLeave;
    this.#sleeper = sleeper;
  }

  /** The turns, the running one first. */
  get turns(): RunningTurn[] {
    return this.#turns.map(({ turn }) => turn);
  }

  /** Resolves when the turn is no more in the queue. */
  async left(turn: RunningTurn): Promise<void> {
    await this.#turns.find(queued => queued.turn === turn)?.ended.promise;
  }

  /** The feed of the first turn, if its message is stored. */
  get current(): TurnFeed | undefined {
    const first = this.#turns[0]?.turn;
    return first?.life.isStored ? first.feed : undefined;
  }

  /** True where the queue has neither turns nor followers, so that it can leave memory. */
  get idle(): boolean {
    return this.#turns.length === 0 && this.#followers.size === 0;
  }

  /** The turns that have not begun, in the order in which they will. */
  get waiting(): RunningTurn[] {
    return this.#turns.filter(queued => this.#waits(queued)).map(({ turn }) => turn);
  }

  /** Whether this turn is the one that runs. */
  runs(turn: RunningTurn): boolean {
    return this.#running?.turn === turn;
  }

  /** Runs the turn when those before it have ended; until then its stream says that it is queued. */
  add(turn: RunningTurn, placed: boolean): void {
    if (!placed) this.#announceSleep(turn);
    const before = this.#turns.length;
    if (!placed && (before > 0 || this.#sleeper.state === null)) turn.feed.queued(before);
    this.#turns.push({ turn, placed, ended: Promise.withResolvers() });
    void this.#work();
  }

  onBegin(callback: (feed: TurnFeed | null) => void): () => void {
    this.#followers.add(callback);
    return () => {
      if (this.#followers.delete(callback)) this.#onLeave();
    };
  }

  /** Cancels the turn that has begun. Resolves with it once it has ended; null where none was really cancelled. */
  async cancel(): Promise<RunningTurn | null> {
    const [first] = this.#turns;
    if (first === undefined || this.#waits(first)) return null;
    first.turn.life.end(CANCELLED);
    await first.ended.promise;
    // A turn that was about to end anyway has ended in its own way, and was not cancelled.
    return first.turn.outcome.status === 'cancelled' ? first.turn : null;
  }

  /**
   * Takes turns that wait out of the queue, once `store` has dropped them; until then none of them begins. Rejects,
   * and they stay, where it does.
   */
  async drop(turns: readonly RunningTurn[], store: () => Promise<void>): Promise<void> {
    const leaving = this.#turns.filter(({ turn }) => turns.includes(turn));
    const stored = store();
    const dropping = stored.then(
      () => {
        for (const queued of leaving) {
          this.#turns.splice(this.#turns.indexOf(queued), 1);
          queued.ended.resolve();
        }
        return true;
      },
      () => false,
    );
    for (const queued of leaving) queued.dropping = dropping;
    const dropped = await dropping;
    if (!dropped) for (const queued of leaving) delete queued.dropping;
    this.#onLeave();
    await stored;
  }

  /** Starts nothing more. The running turn may go on until `deadline`; then it is closed as after a crash. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.#stopped = true;
    const running = this.#running;
    if (running) {
      const { turn } = running;
      // A turn that sleeps goes on after the restart, so nothing is gained by waiting.
      void (turn.sleep.active ? Promise.resolve() : deadline).then(() => turn.stop());
      await running.ended.promise;
    }
    for (const queued of this.#turns) {
      queued.turn.feed.close();
      // The turn goes on after a restart, and a cancel that waits for its end must not wait for that.
      queued.ended.resolve();
    }
    this.dismiss();
  }

  /** Starts nothing more, and ends what waits without a word: the chat belongs to another kernel. */
  abandon(): void {
    this.#stopped = true;
    for (const queued of this.#turns) {
      if (queued === this.#running) continue;
      queued.turn.feed.close();
      queued.ended.resolve();
    }
    this.dismiss();
  }

  /** Tells followers that no turn will begin any more. */
  dismiss(): void {
    for (const callback of this.#followers) callback(null);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let queued = this.#turns[0]; queued !== undefined && !this.#stopped; queued = this.#turns[0]) {
      const { turn } = queued;
      for (const callback of this.#followers) callback(turn.feed);
      // A turn that has begun goes on while the kernel sleeps.
      if (!queued.placed) await this.#awake(queued);
      let dropped = false;
      while (queued.dropping && !dropped) dropped = await queued.dropping;
      if (dropped) continue;
      if (this.#stopped) break;
      this.#running = queued;
      await this.#run(turn, queued.placed);
      this.#running = undefined;
      this.#turns.shift();
      queued.ended.resolve();
      this.#onLeave();
    }
    this.#busy = false;
  }

  /** Waits until the kernel wakes, or the turn has left. */
  async #awake(queued: QueuedTurn): Promise<void> {
    const gone = () => this.#stopped || !this.#turns.includes(queued);
    for (let { gate } = this.#sleeper; gate && !gone(); { gate } = this.#sleeper) {
      this.#announceSleep(queued.turn);
      await Promise.race([gate, queued.ended.promise]);
    }
  }

  #waits(queued: QueuedTurn): boolean {
    return !queued.placed && queued !== this.#running && queued.dropping === undefined;
  }

  /** Tells the readers of the turn, once, that the kernel sleeps. */
  #announceSleep(turn: RunningTurn): void {
    const { state } = this.#sleeper;
    if (state !== null && turn.sleep.announce()) turn.feed.sleeping(state);
  }
}
