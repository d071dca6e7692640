/**
 * A guest: connects to its server in the background, keeps its tools, and reconnects for as long as the kernel runs.
 */
import type { Clock, Log, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject, McpServerSettings } from '@chat-kernel/protocol';
import type { ProcessEnvironment } from '../../processes/environment.ts';
import type { GuestAuth } from '../auth/guest-auth.ts';
import { callTool, type GuestCallContext, SessionForgotten } from '../calls/guest-call.ts';
import { type GuestConnection, NoConnection, openConnection } from '../connection/guest-connection.ts';
import type { ConnectionLoss } from '../connection/heartbeat.ts';
import { lostOrStopped } from '../connection/lost-or-stopped.ts';
import { type ListedTool, listTools } from '../listing/listing.ts';
import { reasonOf } from '../rules/failures.ts';
import { LIST_MS } from '../rules/limits.ts';
import { Pauses } from './pauses.ts';
import { ToolRefresh } from './tool-refresh.ts';

export interface GuestStatus {
  name: string;
  status: 'up' | 'down';
  /** Why the server is down, as far as known. */
  problem: string | null;
  /** Protocol revision of the last connection. */
  revision: string | null;
}

interface GuestDeps {
  log: Log;
  clock: Clock;
  environment: ProcessEnvironment;
  directory: string;
  /** The sign-in to the guest; null: it is a program, or the settings give it its token. */
  auth: GuestAuth | null;
  /** Called when `tools` or `available` has another value. */
  onChange(): void;
}

export class Guest {
  readonly name: string;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly tried: Promise<void>;
  /** In the order of their names; without a connection, those of the last one. */
  tools: readonly ListedTool[] = [];
  readonly #entry: McpServerSettings;
  readonly #deps: GuestDeps;
  readonly #refresh: ToolRefresh;
  readonly #stop = new AbortController();
  readonly #pauses: Pauses;
  #connection: GuestConnection | null = null;
  #problem = 'it has not answered yet';
  #revision: string | null = null;
  #calls = 0;
  #running: Promise<void> = Promise.resolve();
  /** Resolved when the next attempt to connect has succeeded or failed. */
  #nextAttempt = Promise.withResolvers<void>();

  constructor(name: string, entry: McpServerSettings, deps: GuestDeps) {
    this.name = name;
    this.#entry = entry;
    this.#deps = deps;
    this.#pauses = new Pauses(deps.clock);
    this.#refresh = new ToolRefresh(deps.clock, () => this.#refreshTools());
    this.tried = this.#nextAttempt.promise;
  }

  /** Returns at once. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends the connection and the program. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Tries at once to connect where there is no connection. */
  wake(): void {
    this.#pauses.hurry();
  }

  /** Ends the connection and begins another one. */
  reconnect(problem: string): void {
    this.#connection?.lose({ problem, forgotten: true });
    this.wake();
  }

  get auth(): GuestAuth | null {
    return this.#deps.auth;
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

  /** Calls a tool. Never rejects: the output says what went wrong. */
  async call(tool: ListedTool, input: JsonObject, context: GuestCallContext): Promise<ToolOutput> {
    try {
      return await this.#callOnce(tool, input, context);
    } catch (error) {
      if (!(error instanceof SessionForgotten)) throw error;
      // The server has not run the call, so that it is safe to make it again in a new session.
      const nextAttempt = this.#nextAttempt.promise;
      this.#connection?.lose({ problem: 'the server has forgotten the session', forgotten: true });
      await nextAttempt;
      return this.#callOnce(tool, input, context).catch(() => this.#down());
    }
  }

  async #callOnce(tool: ListedTool, input: JsonObject, context: GuestCallContext): Promise<ToolOutput> {
    if (this.#connection === null) return this.#down();
    this.#calls += 1;
    try {
      const { progress } = context;
      const shown = { ...context, progress: (text: string) => progress(this.#hide(text)) };
      const result = await callTool(this.#connection, tool, input, shown, this.#deps.clock);
      return { ...result, output: this.#hide(result.output) };
    } finally {
      this.#calls -= 1;
    }
  }

  /** No model, log or client reads a token, which a server may repeat. */
  #hide(text: string): string {
    return this.#deps.auth?.hide(text) ?? text;
  }

  #down(): ToolOutput {
    const output =
      `The tool server ${this.name} is down: ${this.#problem}. ` +
      'Its tools cannot be called until it is back; the kernel goes on trying to reach it.';
    return { output, is_error: true };
  }

  async #run(): Promise<void> {
    const { clock } = this.#deps;
    while (!this.#stop.signal.aborted) {
      const began = clock.now();
      const { problem, forgotten } = await this.#connectAndHold();
      this.#pauses.held(clock.now() - began);
      this.#becomeDown(this.#hide(problem));
      if (!forgotten) await this.#pauses.next(this.#stop.signal);
    }
    this.#settleAttempt();
  }

  /** Resolves when the connection has ended, or could not be opened. */
  async #connectAndHold(): Promise<ConnectionLoss> {
    const { signal } = this.#stop;
    let connection: GuestConnection | null = null;
    try {
      connection = await openConnection(this.#entry, this.#connectionDeps(), signal);
      const { tools, left_out } = await this.#list(connection);
      this.#becomeUp(connection, tools, left_out);
      return await lostOrStopped(connection, signal);
    } catch (error) {
      this.#settleAttempt();
      const problem = error instanceof NoConnection ? error.message : reasonOf(error);
      // Even where the server forgot the session: it did so before its tools were listed, and would do so again.
      return { problem, forgotten: false };
    } finally {
      this.#connection = null;
      await connection?.close();
    }
  }

  #connectionDeps() {
    return {
      ...this.#deps,
      name: this.name,
      onListChanged: () => this.#refresh.request(),
      isBusy: () => this.#calls > 0,
    };
  }

  async #list(connection: GuestConnection): ReturnType<typeof listTools> {
    const late = new AbortController();
    const cancelTimer = this.#deps.clock.after(LIST_MS, () =>
      late.abort(`it did not list its tools within ${LIST_MS / 1000} s`),
    );
    try {
      return await listTools(connection, AbortSignal.any([late.signal, this.#stop.signal]));
    } finally {
      cancelTimer();
    }
  }

  #becomeUp(connection: GuestConnection, tools: readonly ListedTool[], left_out: readonly string[]): void {
    const { log, onChange } = this.#deps;
    this.#connection = connection;
    this.#deps.auth?.accepted();
    this.#revision = connection.revision;
    log.info({ server: this.name, revision: this.#revision, tools: tools.length }, 'an MCP server is up');
    this.#logLeftOut(left_out);
    this.tools = tools;
    this.#settleAttempt();
    onChange();
  }

  #becomeDown(problem: string): void {
    const { log, onChange } = this.#deps;
    if (this.#stop.signal.aborted) return;
    // Each reason is logged once, however many attempts fail for it.
    if (problem !== this.#problem) log.warn({ server: this.name, problem }, 'an MCP server is down');
    this.#problem = problem;
    onChange();
  }

  #settleAttempt(): void {
    this.#nextAttempt.resolve();
    this.#nextAttempt = Promise.withResolvers();
  }

  async #refreshTools(): Promise<void> {
    const { log, onChange } = this.#deps;
    const connection = this.#connection;
    try {
      if (connection === null) return;
      const { tools, left_out } = await this.#list(connection);
      if (this.#connection !== connection) return;
      this.#logLeftOut(left_out);
      if (JSON.stringify(tools) === JSON.stringify(this.tools)) return;
      this.tools = tools;
      onChange();
    } catch (error) {
      log.warn({ server: this.name, problem: reasonOf(error) }, 'an MCP server did not list its tools anew');
    }
  }

  #logLeftOut(left_out: readonly string[]): void {
    if (left_out.length > 0) {
      this.#deps.log.warn({ server: this.name, left_out }, 'tools of an MCP server are left out');
    }
  }
}
