/**
 * Keeps a module connected: opens the way to it, asks for its declaration, and starts over when it is gone, at once
 * where there is a reason to believe that it is back, and ever more slowly where there is none (MOD-8).
 */
import type { Clock, Log } from '@chat-kernel/kernel';
import type { InitializeParams, InitializeResult } from '@chat-kernel/protocol';
import { TimedOut } from '../../jsonrpc/index.ts';
import type { Channel, Way } from '../connectors/connector.ts';
import { Refused } from '../session/declaration.ts';
import type { ModuleLog } from '../session/module-log.ts';
import { Session } from '../session/module-session.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Whoever was connected for so long has not failed again, but anew. */
const STEADY_MS = 10_000;
/** So many ends within so long: nobody starts it again by himself. */
const CRASHES = 5;
const CRASHES_WITHIN_MS = 60_000;

export type LinkState =
  | { status: 'up'; session: Session }
  /** The problem is the rest of a sentence about the module. */
  | { status: 'down' | 'failed'; problem: string };

export interface LinkParts {
  name: string;
  way: Way;
  kernel: InitializeParams['kernel'];
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  onDeclared(declaration: InitializeResult): void;
  /** It declares its tools anew; `params` are unread. */
  onToolsChanged(params: unknown): void;
  onState(): void;
}

interface Attempt {
  /** It was connected for long. */
  steady: boolean;
  /** Trying the same again is of no use. */
  failed: boolean;
  problem: string;
}

export class Link {
  readonly #parts: LinkParts;
  readonly #tried = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #state: LinkState = { status: 'down', problem: 'it has not been reached yet' };
  /** The socket that it is connected to, or is about to be. */
  #socket: string | undefined;
  #stopped: string | undefined;
  /** Resolved when there is a reason to start over at once. */
  #again = Promise.withResolvers<void>();
  /** Connections that answer their last calls beside their successor. */
  readonly #retired = new Set<Session>();
  #pauseMs = FIRST_PAUSE_MS;
  /** When it ended, of late. */
  #crashes: number[] = [];

  /** Begins at once. */
  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Settles when the first attempt has gone well or wrong. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  /** There is a socket that was not there before. */
  seen(socket: string): void {
    if (socket !== this.#socket) this.retry();
  }

  /** There is a new reason to believe that it can be reached. A connection there is ends with its last open call. */
  retry(): void {
    this.#crashes = [];
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#again.resolve();
  }

  /** For good. Resolves when nothing is left of what the kernel has started for it. */
  async stop(reason: string): Promise<void> {
    this.#stopped ??= reason;
    for (const session of this.#retired) session.close(reason);
    this.#again.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#stopped === undefined) {
      this.#again = Promise.withResolvers();
      const attempt = await this.#attempt();
      this.#tried.resolve();
      if (attempt === undefined) continue;
      const pauseMs = this.#endOf(attempt);
      await this.#pause(pauseMs);
    }
    this.#set({ status: 'down', problem: this.#stopped });
    this.#tried.resolve();
  }

  /** From the connection to its end; undefined where the next attempt is already due. */
  async #attempt(): Promise<Attempt | undefined> {
    const { way, name, kernel, clock, onDeclared } = this.#parts;
    const { promise: again } = this.#again;
    const opening = await way.open().catch((error: Error) => error);
    if (opening instanceof Error) return { steady: false, failed: false, problem: opening.message };
    this.#socket = opening.socket;
    const session = this.#sessionOn(opening);
    const ended = session.ended.then(how => opening.end(how));
    const close = (reason: string) => session.close(this.#stopped ?? reason);
    const began = clock.now();
    let failed = false;
    const initialized = session
      .initialize(name, kernel)
      .then(declaration => {
        onDeclared(declaration);
        this.#set({ status: 'up', session });
      })
      .catch((error: Error) => {
        failed = error instanceof Refused;
        close(error instanceof TimedOut ? `it was asked to initialize: ${error.message}` : error.message);
      });
    this.#tried.resolve(initialized);
    const problem = await Promise.race([ended, again]);
    this.#socket = undefined;
    if (problem !== undefined) return { steady: clock.now() - began >= STEADY_MS, failed, problem };
    if (this.#state.status === 'up' && !way.starts && this.#stopped === undefined) {
      // It may answer its last calls beside its successor.
      this.#set({ status: 'down', problem: 'another one takes its place' });
      this.#retired.add(session);
      ended.then(() => this.#retired.delete(session));
      session.retire('another one took its place');
    } else {
      close('it is started anew');
      await ended;
    }
    return undefined;
  }

  #sessionOn(channel: Channel): Session {
    const session: Session = new Session(channel, {
      ...this.#parts,
      onToolsChanged: params => {
        // Its successor has declared other ones.
        if (this.#state.status === 'up' && this.#state.session === session) {
          this.#parts.onToolsChanged(params);
        }
      },
    });
    return session;
  }

  /** Milliseconds to wait before the next attempt; null: until there is a reason for it. */
  #endOf({ steady, failed, problem }: Attempt): number | null {
    const { way, clock, log, name } = this.#parts;
    const now = clock.now();
    this.#crashes = [...this.#crashes, now].filter(at => at > now - CRASHES_WITHIN_MS);
    if (way.starts && this.#crashes.length >= CRASHES) {
      this.#set({
        status: 'failed',
        problem: `it ended ${CRASHES} times within a minute and is not started again by itself: ${problem}`,
      });
      log.error({ module: name, problem }, 'a module keeps ending; it is not started again');
      return null;
    }
    const known = this.#state.status !== 'up' && this.#state.problem === problem;
    if (!known) log.warn({ module: name, problem }, 'a module is not running');
    this.#set({ status: failed ? 'failed' : 'down', problem });
    if (failed && way.starts) return null;
    if (steady) this.#pauseMs = FIRST_PAUSE_MS;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    return pauseMs;
  }

  async #pause(ms: number | null): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const cancel = ms === null ? () => {} : this.#parts.clock.after(ms, resolve);
    await Promise.race([over, this.#again.promise]);
    cancel();
  }

  #set(state: LinkState): void {
    this.#state = state;
    this.#parts.onState();
  }
}
