/**
 * Keeps a module connected: opens a channel, requests its declaration, and reconnects after a disconnect. It reconnects
 * immediately if the module is probably back, and otherwise with increasing delays (MOD-8).
 */
import { RetryBackoff } from '@chat-kernel/base';
import { TimedOut } from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import type {
  InitializeParams,
  InitializeResult,
  QuestionParams,
  QuestionResult,
} from '@chat-kernel/protocol';
import type { ModuleChannel, ModuleConnector } from '../connectors/connector.ts';
import type { AnchorOwners } from '../session/anchor-owners.ts';
import { DeclarationRefused } from '../session/declaration.ts';
import type { ModuleLog } from '../session/module-log.ts';
import { ModuleSession } from '../session/module-session.ts';

const PAUSES = { firstMs: 500, maxMs: 30_000 };
/** A connection that lasted this long resets the pauses. */
const STEADY_MS = 10_000;

type LinkState =
  | { status: 'up'; session: ModuleSession }
  /** The problem is the rest of a sentence about the module. */
  | { status: 'down' | 'failed'; problem: string };

interface ModuleLinkDeps {
  name: string;
  anchors: AnchorOwners;
  connector: ModuleConnector;
  kernel: InitializeParams['kernel'];
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  onDeclared(declaration: InitializeResult): void;
  /** Called when the module declares its tools again; `params` have not been validated. */
  onToolsChanged(params: unknown): void;
  /** Asks the owner, outside of calls. @throws RpcError */
  onQuestion(question: QuestionParams, over: AbortSignal): Promise<QuestionResult>;
  /** Called for each part of a message that was not understood, with its name there. */
  onUnread(shape: string): void;
  onState(): void;
}

/** A finished attempt. */
interface EndedAttempt {
  /** How long the connection lasted, in milliseconds. */
  heldMs: number;
  /** Whether the same attempt would fail again. */
  failed: boolean;
  problem: string;
}

export class ModuleLink {
  readonly #deps: ModuleLinkDeps;
  readonly #tried = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  readonly #backoff = new RetryBackoff(PAUSES);
  readonly #crashes = new CrashCount();
  #state: LinkState = { status: 'down', problem: 'it is not connected yet' };
  /** The socket of the open or opening connection. */
  #socket: string | undefined;
  #stopReason: string | undefined;
  /** Resolved when there is a reason to reconnect immediately. */
  #again = Promise.withResolvers<void>();
  /** Old sessions that answer their last calls while their successor is in use. */
  readonly #retired = new Set<ModuleSession>();

  /** Begins immediately. */
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

  /** Reconnects if this is not the socket of the connection. */
  socketFound(socket: string): void {
    if (socket !== this.#socket) this.retry();
  }

  /** Reconnects immediately, regardless of earlier failures. An open connection ends after its last open call. */
  retry(): void {
    this.#crashes.reset();
    this.#backoff.reset();
    this.#again.resolve();
  }

  /** Ends the link permanently. Resolves when everything that the kernel started for the module has ended. */
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

  /** Connects, and resolves when the connection has ended; with undefined if the next attempt is already due. */
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
        close(error instanceof TimedOut ? `initialize failed: ${error.message}` : error.message);
      });
    this.#tried.resolve(initialized);
    const problem = await Promise.race([ended, again]);
    this.#socket = undefined;
    if (problem !== undefined) return { heldMs: clock.now() - began, failed, problem };
    if (this.#state.status === 'up' && !connector.starts && this.#stopReason === undefined) {
      this.#retire(session, ended);
    } else {
      close('it is restarting');
      await ended;
    }
    return undefined;
  }

  /** Lets a session answer its last calls while its successor is in use. */
  #retire(session: ModuleSession, ended: Promise<unknown>): void {
    this.#setState({ status: 'down', problem: 'another process replaces it' });
    this.#retired.add(session);
    ended.then(() => this.#retired.delete(session));
    session.retire('another process replaced it');
  }

  #sessionOn(channel: ModuleChannel): ModuleSession {
    const session: ModuleSession = new ModuleSession(channel, {
      ...this.#deps,
      onToolsChanged: params => {
        // A retired session must not change the tools that its successor has declared.
        if (this.#state.status === 'up' && this.#state.session === session) {
          this.#deps.onToolsChanged(params);
        }
      },
    });
    return session;
  }

  /** Returns the delay before the next attempt in milliseconds; null to wait until there is a reason for one. */
  #noteEnd({ heldMs, failed, problem }: EndedAttempt): number | null {
    const { connector, clock, log, name } = this.#deps;
    const tooMany = this.#crashes.ended(clock.now());
    if (connector.starts && tooMany) {
      this.#setState({ status: 'failed', problem: `${TOO_MANY_CRASHES}: ${problem}` });
      log.error({ module: name, problem }, 'a module keeps crashing and is not restarted');
      return null;
    }
    const known = this.#state.status !== 'up' && this.#state.problem === problem;
    if (!known) log.warn({ module: name, problem }, 'a module is not running');
    this.#setState({ status: failed ? 'failed' : 'down', problem });
    if (failed && connector.starts) return null;
    if (heldMs >= STEADY_MS) this.#backoff.reset();
    return this.#backoff.nextMs();
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

const CRASHES = 5;
const WITHIN_MS = 60_000;

/** Detects a module that repeatedly exits soon after its start. */
class CrashCount {
  /** The times of its exits in milliseconds, within the last WITHIN_MS. */
  #ends: number[] = [];

  /** Records an exit, and returns whether there were too many within a minute. */
  ended(now: number): boolean {
    this.#ends = [...this.#ends, now].filter(at => at > now - WITHIN_MS);
    return this.#ends.length >= CRASHES;
  }

  reset(): void {
    this.#ends = [];
  }
}

const TOO_MANY_CRASHES = `it ended ${CRASHES} times within a minute and is no longer restarted automatically`;
