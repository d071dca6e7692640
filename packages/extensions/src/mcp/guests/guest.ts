/** One server: connects in the background, keeps its tools, and comes back for as long as the kernel runs. */
import type { Clock, Log, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { type CallContext, callTool, SessionForgotten } from '../calls/guest-call.ts';
import { type Connection, NoConnection, openConnection } from '../connection/guest-connection.ts';
import type { Environment } from '../../processes/environment.ts';
import { reasonOf } from '../rules/failures.ts';
import { FIRST_PAUSE_MS, GOOD_AFTER_MS, LIST_MS, LONGEST_PAUSE_MS } from '../rules/limits.ts';
import { type ListedTool, listTools } from '../listing/listing.ts';
import type { Loss } from '../connection/heartbeat.ts';
import type { ServerEntry } from '../wires/guest-wire.ts';

export interface GuestStatus {
  name: string;
  status: 'up' | 'down';
  /** Why it is down, as far as known. */
  problem: string | null;
  /** Protocol revision of the last connection. */
  revision: string | null;
}

interface Parts {
  log: Log;
  clock: Clock;
  environment: Environment;
  /** Told when `tools` or `available` answers something else. */
  onChange(): void;
}

/** Servers tell of each change of many; they are asked once for all that come in this time. */
const REFRESH_AFTER_MS = 250;

export class Guest {
  readonly name: string;
  /** In the order of their names; those of the last connection while there is none. */
  tools: readonly ListedTool[] = [];
  readonly #entry: ServerEntry;
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #connection: Connection | null = null;
  #problem = 'it has not answered yet';
  #revision: string | null = null;
  #calls = 0;
  #life: Promise<void> = Promise.resolve();
  /** Settled when the next try to connect has had its end, good or bad. */
  #nextTry = Promise.withResolvers<void>();
  #refresh: 'no' | 'soon' | 'now' | 'again' = 'no';

  constructor(name: string, entry: ServerEntry, parts: Parts) {
    this.name = name;
    this.#entry = entry;
    this.#parts = parts;
  }

  /** Returns at once. */
  start(): void {
    this.#life = this.#live();
  }

  /** Ends the connection and the program. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#life;
  }

  get available(): boolean {
    return this.#connection !== null;
  }

  status(): GuestStatus {
    const up = this.#connection !== null;
    return {
      name: this.name,
      status: up ? 'up' : 'down',
      problem: up ? null : this.#problem,
      revision: this.#revision,
    };
  }

  /** Never rejects: whatever goes wrong is an output that says so. */
  async call(tool: ListedTool, input: JsonObject, context: CallContext): Promise<ToolOutput> {
    try {
      return await this.#callOnce(tool, input, context);
    } catch (error) {
      if (!(error instanceof SessionForgotten)) throw error;
      // It did not take place: there is nothing to lose by making it again in a session of its own.
      const nextTry = this.#nextTry.promise;
      this.#connection?.lose({ problem: 'the server has forgotten the session', forgotten: true });
      await nextTry;
      return this.#callOnce(tool, input, context).catch(() => this.#down());
    }
  }

  async #callOnce(tool: ListedTool, input: JsonObject, context: CallContext): Promise<ToolOutput> {
    if (this.#connection === null) return this.#down();
    this.#calls += 1;
    try {
      return await callTool(this.#connection, tool, input, context, this.#parts.clock);
    } finally {
      this.#calls -= 1;
    }
  }

  #down(): ToolOutput {
    const output =
      `The tool server ${this.name} is down: ${this.#problem}. ` +
      'Its tools cannot be called until it is back; the kernel goes on trying to reach it.';
    return { output, is_error: true };
  }

  async #live(): Promise<void> {
    const { clock } = this.#parts;
    let pause = FIRST_PAUSE_MS;
    while (!this.#stop.signal.aborted) {
      const begun = clock.now();
      const { problem, forgotten } = await this.#connectAndHold();
      if (clock.now() - begun >= GOOD_AFTER_MS) pause = FIRST_PAUSE_MS;
      this.#becomeDown(problem);
      if (forgotten) continue;
      await this.#sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    this.#settleTry();
  }

  /** Resolves when there is no connection any more. */
  async #connectAndHold(): Promise<Loss> {
    const { signal } = this.#stop;
    let connection: Connection | null = null;
    try {
      connection = await openConnection(this.#entry, this.#surroundings(), signal);
      const { tools, left_out } = await this.#listed(connection);
      this.#becomeUp(connection, tools, left_out);
      return await Promise.race([connection.lost, aborted(signal)]);
    } catch (error) {
      this.#settleTry();
      // A server that forgets the session before it has begun does not work.
      const problem = error instanceof NoConnection ? error.message : reasonOf(error);
      return { problem, forgotten: false };
    } finally {
      this.#connection = null;
      await connection?.close();
    }
  }

  #surroundings() {
    return {
      ...this.#parts,
      name: this.name,
      onListChanged: () => this.#refreshSoon(),
      isBusy: () => this.#calls > 0,
    };
  }

  async #listed(connection: Connection): ReturnType<typeof listTools> {
    const late = new AbortController();
    const stopWatch = this.#parts.clock.after(LIST_MS, () =>
      late.abort(`it did not list its tools within ${LIST_MS / 1000} s`),
    );
    try {
      return await listTools(connection, AbortSignal.any([late.signal, this.#stop.signal]));
    } finally {
      stopWatch();
    }
  }

  #becomeUp(connection: Connection, tools: readonly ListedTool[], left_out: readonly string[]): void {
    const { log, onChange } = this.#parts;
    this.#connection = connection;
    this.#revision = connection.revision;
    log.info({ server: this.name, revision: this.#revision, tools: tools.length }, 'an MCP server is up');
    this.#tellLeftOut(left_out);
    this.tools = tools;
    this.#settleTry();
    onChange();
  }

  #becomeDown(problem: string): void {
    const { log, onChange } = this.#parts;
    if (this.#stop.signal.aborted) return;
    // Said once for each reason, however often it is tried.
    if (problem !== this.#problem) log.warn({ server: this.name, problem }, 'an MCP server is down');
    this.#problem = problem;
    onChange();
  }

  #settleTry(): void {
    this.#nextTry.resolve();
    this.#nextTry = Promise.withResolvers();
  }

  #refreshSoon(): void {
    if (this.#refresh === 'now') this.#refresh = 'again';
    if (this.#refresh !== 'no') return;
    this.#refresh = 'soon';
    this.#parts.clock.after(REFRESH_AFTER_MS, () => void this.#refreshNow());
  }

  async #refreshNow(): Promise<void> {
    const { log, onChange } = this.#parts;
    const connection = this.#connection;
    this.#refresh = 'now';
    try {
      if (connection === null) return;
      const { tools, left_out } = await this.#listed(connection);
      if (this.#connection !== connection) return;
      this.#tellLeftOut(left_out);
      if (JSON.stringify(tools) === JSON.stringify(this.tools)) return;
      this.tools = tools;
      onChange();
    } catch (error) {
      log.warn({ server: this.name, problem: reasonOf(error) }, 'an MCP server did not list its tools anew');
    } finally {
      const again = (this.#refresh as string) === 'again';
      this.#refresh = 'no';
      if (again) this.#refreshSoon();
    }
  }

  #tellLeftOut(left_out: readonly string[]): void {
    if (left_out.length > 0) {
      this.#parts.log.warn({ server: this.name, left_out }, 'tools of an MCP server are left out');
    }
  }

  /** Ends early where the guest is stopped. */
  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(ms, resolve);
    await Promise.race([promise, aborted(this.#stop.signal)]);
    cancel();
  }
}

function aborted(signal: AbortSignal): Promise<Loss> {
  const stopped: Loss = { problem: 'the kernel stops', forgotten: false };
  if (signal.aborted) return Promise.resolve(stopped);
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(stopped), { once: true });
  });
}
