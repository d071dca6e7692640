/** Queues the turns of one chat: one runs, the others wait in order of arrival (TURN-12). */
import type { Event } from '@chat-kernel/protocol';
import type { TurnFeed } from '../feed/feed.ts';
import type { Follower, TurnSource } from '../feed/follow.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import { CANCELLED } from '../turn/ending.ts';
import type { RunningTurn } from '../turn/running-turn.ts';

interface QueuedTurn {
  turn: RunningTurn;
  /** True if its message already has a position in the chat. */
  placed: boolean;
  ended: PromiseWithResolvers<void>;
  /** Set while the turn is being dropped; resolves with whether it was dropped. */
  dropping?: Promise<boolean>;
}

export class ChatQueue implements TurnSource {
  readonly #run: (turn: RunningTurn, placed: boolean) => Promise<void>;
  readonly #sleeper: Pick<Sleeper, 'gate' | 'state'>;
  readonly #onLeave: () => void;
  readonly #turns: QueuedTurn[] = [];
  readonly #followers = new Set<Follower>();
  #busy = false;
  /** The running turn; a turn that waits for the kernel to wake does not run. */
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

  /** The feed of the first turn. */
  get current(): TurnFeed | undefined {
    return this.#turns[0]?.turn.feed;
  }

  /** True if the queue has neither turns nor followers, so that it can be removed from memory. */
  get idle(): boolean {
    return this.#turns.length === 0 && this.#followers.size === 0;
  }

  /** The turns that have not begun, in the order in which they will begin. */
  get waiting(): RunningTurn[] {
    return this.#turns.filter(queued => this.#waits(queued)).map(({ turn }) => turn);
  }

  /** Whether this turn is the running one. */
  runs(turn: RunningTurn): boolean {
    return this.#running?.turn === turn;
  }

  /** Runs the turn when those before it have ended; until then its stream reports it as queued. */
  add(turn: RunningTurn, placed: boolean): void {
    if (!placed) this.#announceSleep(turn);
    const before = this.#turns.length;
    if (!placed && (before > 0 || this.#sleeper.state === null)) turn.feed.queued(before);
    if (placed) turn.feed.opened();
    this.#turns.push({ turn, placed, ended: Promise.withResolvers() });
    void this.#work();
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => {
      if (this.#followers.delete(follower)) this.#onLeave();
    };
  }

  /** Sends followers an event that belongs to no turn. Called while no turn runs or waits. */
  notify(event: Event): void {
    for (const follower of this.#followers) follower.onEvent(event);
  }

  /** Cancels the turn that has begun. Resolves with it once it has ended; null if no turn was canceled. */
  async cancel(): Promise<RunningTurn | null> {
    const [first] = this.#turns;
    if (first === undefined || this.#waits(first)) return null;
    first.turn.life.end(CANCELLED);
    await first.ended.promise;
    // A turn that was about to end anyway has its own ending and was not canceled.
    return first.turn.outcome.status === 'cancelled' ? first.turn : null;
  }

  /**
   * Removes waiting turns from the queue once `store` has dropped them; they cannot begin before that. If `store`
   * rejects, this rejects too and the turns stay.
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

  /** Starts no more turns. The running turn may continue until `deadline`; then it is closed as after a crash. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.#stopped = true;
    const running = this.#running;
    if (running) {
      const { turn } = running;
      // A sleeping turn continues after the restart, so waiting would gain nothing.
      void (turn.sleep.active ? Promise.resolve() : deadline).then(() => turn.stop());
      await running.ended.promise;
    }
    for (const queued of this.#turns) {
      queued.turn.feed.close();
      // The turn continues after a restart. A cancel that waits for its end must not wait for that.
      queued.ended.resolve();
    }
    this.dismiss();
  }

  /** Starts no more turns, and ends waiting ones without an event: the chat belongs to another kernel. */
  abandon(): void {
    this.#stopped = true;
    for (const queued of this.#turns) {
      if (queued === this.#running) continue;
      queued.turn.feed.close();
      queued.ended.resolve();
    }
    this.dismiss();
  }

  /** Notifies followers that no more turns will begin. */
  dismiss(): void {
    for (const follower of this.#followers) follower.onBegin(null);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let queued = this.#turns[0]; queued !== undefined && !this.#stopped; queued = this.#turns[0]) {
      const { turn } = queued;
      for (const follower of this.#followers) follower.onBegin(turn.feed);
      // A turn that has begun continues while the kernel sleeps.
      if (!queued.placed) await this.#awake(queued);
      let dropped = false;
      while (queued.dropping && !dropped) dropped = await queued.dropping;
      if (dropped) continue;
      if (this.#stopped) break;
      this.#running = queued;
      if (!queued.placed) turn.feed.begun();
      await this.#run(turn, queued.placed);
      this.#running = undefined;
      this.#turns.shift();
      queued.ended.resolve();
      this.#onLeave();
    }
    this.#busy = false;
  }

  /** Waits until the kernel wakes or the turn has left. */
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

  /** Notifies the readers of the turn, once, that the kernel sleeps. */
  #announceSleep(turn: RunningTurn): void {
    const { state } = this.#sleeper;
    if (state !== null && turn.sleep.announce()) turn.feed.sleeping(state);
  }
}
