/**
 * Keeps a module connected: opens a channel to it, asks for its declaration, and starts over when the connection is gone.
 * That happens at once where there is a reason to believe that the module is back, and else ever more slowly (MOD-8).
 */
import { TimedOut } from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import type { InitializeParams, InitializeResult } from '@chat-kernel/protocol';
import { Backoff } from '../../pace/backoff.ts';
import type { ModuleChannel, ModuleConnector } from '../connectors/connector.ts';
import { DeclarationRefused } from '../session/declaration.ts';
import type { ModuleLog } from '../session/module-log.ts';
import { ModuleSession } from '../session/module-session.ts';
import { CrashCount, TOO_MANY_CRASHES } from './crash-count.ts';

const PAUSES = { firstMs: 500, longestMs: 30_000, steadyMs: 10_000 };

type LinkState =
  | { status: 'up'; session: ModuleSession }
  /** The problem is the rest of a sentence about the module. */
  | { status: 'down' | 'failed'; problem: string };

interface ModuleLinkDeps {
  name: string;
  connector: ModuleConnector;
  kernel: InitializeParams['kernel'];
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  onDeclared(declaration: InitializeResult): void;
  /** The module declares its tools anew; `params` have not been checked. */
  onToolsChanged(params: unknown): void;
  onState(): void;
}

/** An attempt that has ended. */
interface EndedAttempt {
  /** How long the connection held, in milliseconds. */
  heldMs: number;
  /** The same attempt again would fail again. */
  failed: boolean;
  problem: string;
}

export class ModuleLink {
  readonly #deps: ModuleLinkDeps;
  readonly #tried = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  readonly #backoff = new Backoff(PAUSES);
  readonly #crashes = new CrashCount();
  #state: LinkState = { status: 'down', problem: 'it has not been reached yet' };
  /** The socket of the connection that is open or about to open. */
  #socket: string | undefined;
  #stopReason: string | undefined;
  /** Resolved when there is a reason to start over at once. */
  #again = Promise.withResolvers<void>();
  /** Sessions that answer their last calls beside their successor. */
  readonly #retired = new Set<ModuleSession>();

  /** Begins at once. */
  constructor(deps: ModuleLinkDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Resolves when the first attempt has succeeded or failed. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  /** Starts over where this socket is not the one of the connection. */
  socketFound(socket: string): void {
    if (socket !== this.#socket) this.retry();
  }

  /** Starts over at once, without regard to earlier failures. An open connection ends with its last open call. */
  retry(): void {
    this.#crashes.reset();
    this.#backoff.reset();
    this.#again.resolve();
  }

  /** Ends the link for good. Resolves when nothing is left of what the kernel started for the module. */
  async stop(reason: string): Promise<void> {
    this.#stopReason ??= reason;
    for (const session of this.#retired) session.close(reason);
    this.#again.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#stopReason === undefined) {
      this.#again = Promise.withResolvers();
      const ended = await this.#attempt();
      this.#tried.resolve();
      if (ended === undefined) continue;
      const pauseMs = this.#noteEnd(ended);
      await this.#pause(pauseMs);
    }
    this.#setState({ status: 'down', problem: this.#stopReason });
    this.#tried.resolve();
  }

  /** Connects, and resolves when the connection has ended; with undefined where the next attempt is already due. */
  async #attempt(): Promise<EndedAttempt | undefined> {
    const { connector, name, kernel, clock, onDeclared } = this.#deps;
    const { promise: again } = this.#again;
    const channel = await connector.open().catch((error: Error) => error);
    if (channel instanceof Error) return { heldMs: 0, failed: false, problem: channel.message };
    this.#socket = channel.socket;
    const session = this.#sessionOn(channel);
    const ended = session.ended.then(how => channel.end(how));
    const close = (reason: string) => session.close(this.#stopReason ?? reason);
    const began = clock.now();
    let failed = false;
    const initialized = session
      .initialize(name, kernel)
      .then(declaration => {
        onDeclared(declaration);
        this.#setState({ status: 'up', session });
      })
      .catch((error: Error) => {
        failed = error instanceof DeclarationRefused;
        close(error instanceof TimedOut ? `it was asked to initialize: ${error.message}` : error.message);
      });
    this.#tried.resolve(initialized);
    const problem = await Promise.race([ended, again]);
    this.#socket = undefined;
    if (problem !== undefined) return { heldMs: clock.now() - began, failed, problem };
    if (this.#state.status === 'up' && !connector.starts && this.#stopReason === undefined) {
      this.#retire(session, ended);
    } else {
      close('it is started anew');
      await ended;
    }
    return undefined;
  }

  /** Lets a session answer its last calls beside its successor. */
  #retire(session: ModuleSession, ended: Promise<unknown>): void {
    this.#setState({ status: 'down', problem: 'another one takes its place' });
    this.#retired.add(session);
    ended.then(() => this.#retired.delete(session));
    session.retire('another one took its place');
  }

  #sessionOn(channel: ModuleChannel): ModuleSession {
    const session: ModuleSession = new ModuleSession(channel, {
      ...this.#deps,
      onToolsChanged: params => {
        // A retired session may not change the tools that its successor has declared.
        if (this.#state.status === 'up' && this.#state.session === session) {
          this.#deps.onToolsChanged(params);
        }
      },
    });
    return session;
  }

  /** Returns the pause before the next attempt in milliseconds; null: no attempt until there is a reason for one. */
  #noteEnd({ heldMs, failed, problem }: EndedAttempt): number | null {
    const { connector, clock, log, name } = this.#deps;
    const tooMany = this.#crashes.ended(clock.now());
    if (connector.starts && tooMany) {
      this.#setState({ status: 'failed', problem: `${TOO_MANY_CRASHES}: ${problem}` });
      log.error({ module: name, problem }, 'a module keeps ending; it is not started again');
      return null;
    }
    const known = this.#state.status !== 'up' && this.#state.problem === problem;
    if (!known) log.warn({ module: name, problem }, 'a module is not running');
    this.#setState({ status: failed ? 'failed' : 'down', problem });
    if (failed && connector.starts) return null;
    this.#backoff.held(heldMs);
    return this.#backoff.next();
  }

  async #pause(ms: number | null): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const cancel = ms === null ? () => {} : this.#deps.clock.after(ms, resolve);
    await Promise.race([over, this.#again.promise]);
    cancel();
  }

  #setState(state: LinkState): void {
    this.#state = state;
    this.#deps.onState();
  }
}
