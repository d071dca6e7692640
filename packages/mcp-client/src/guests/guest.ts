/** Manages a guest: connects to its server in the background, keeps its tools, and reconnects while the kernel runs. */
import type { ProcessEnvironment } from '@chat-kernel/hands/processes';
import type { Clock, Log, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject, McpServerSettings } from '@chat-kernel/protocol';
import { describeRefusal } from '../auth/describe-refusal.ts';
import type { GuestAuth } from '../auth/guest-auth.ts';
import { callTool, type GuestCallContext, SessionForgotten } from '../calls/guest-call.ts';
import { type GuestConnection, NoConnection, openConnection } from '../connection/guest-connection.ts';
import type { ConnectionLoss } from '../connection/heartbeat.ts';
import { lostOrStopped } from '../connection/lost-or-stopped.ts';
import { type ListedTool, listTools } from '../listing/listing.ts';
import { describeError } from '../rules/failures.ts';
import { LIST_MS } from '../rules/limits.ts';
import { ReconnectTimer } from './reconnect-timer.ts';
import { toolRefresh } from './tool-refresh.ts';

export interface GuestStatus {
  name: string;
  status: 'up' | 'down';
  /** The reason why the server is down, if known. */
  problem: string | null;
  /** Protocol revision of the last connection. */
  revision: string | null;
}

interface GuestDeps {
  log: Log;
  clock: Clock;
  environment: ProcessEnvironment;
  directory: string;
  /** Called for each block of a result that was not understood, with its type. */
  onUnread?(server: string, type: string): void;
  /** The sign-in to the guest; null if it is a program, or if the settings contain its token. */
  auth: GuestAuth | null;
  /** Called when `tools` or `available` has changed. */
  onChange(): void;
}

export class Guest {
  readonly name: string;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly tried: Promise<void>;
  /** Sorted by name; without a connection, the tools of the last one. */
  tools: readonly ListedTool[] = [];
  /** A sentence for each tool of the last connection that cannot be used. */
  skipped: readonly string[] = [];
  readonly #entry: McpServerSettings;
  readonly #deps: GuestDeps;
  readonly #requestRefresh: () => void;
  readonly #stop = new AbortController();
  readonly #pauses: ReconnectTimer;
  #connection: GuestConnection | null = null;
  #problem = 'it has not responded yet';
  #revision: string | null = null;
  #calls = 0;
  #running: Promise<void> = Promise.resolve();
  /** Resolved when the next attempt to connect has succeeded or failed. */
  #nextAttempt = Promise.withResolvers<void>();

  constructor(name: string, entry: McpServerSettings, deps: GuestDeps) {
    this.name = name;
    this.#entry = entry;
    this.#deps = deps;
    this.#pauses = new ReconnectTimer(deps.clock);
    this.#requestRefresh = toolRefresh(deps.clock, () => this.#refreshTools());
    this.tried = this.#nextAttempt.promise;
  }

  /** Returns immediately. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends the connection and the program. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Tries to connect immediately if there is no connection. */
  wake(): void {
    this.#pauses.hurry();
  }

  /** Replaces the connection with a new one. */
  reconnect(problem: string): void {
    this.#connection?.lose({ problem, forgotten: true });
    this.wake();
  }

  /** Whether the owner trusts the words in its results (CONSENT-4). */
  get trusted(): boolean {
    return this.#entry.trusted === true;
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

  /** Calls a tool. Never rejects: the output describes errors. */
  async call(tool: ListedTool, input: JsonObject, context: GuestCallContext): Promise<ToolOutput> {
    try {
      return await this.#callOnce(tool, input, context);
    } catch (error) {
      if (!(error instanceof SessionForgotten)) throw error;
      // The server has not run the call, so a retry in a new session is safe.
      const nextAttempt = this.#nextAttempt.promise;
      this.#connection?.lose({ problem: 'the server ended the session', forgotten: true });
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

  /** Models, logs and clients must not see a token, which a server may repeat. */
  #hide(text: string): string {
    return this.#deps.auth?.hide(text) ?? text;
  }

  #down(): ToolOutput {
    const output =
      `The MCP server ${this.name} is down: ${this.#problem}. ` +
      'Its tools are unavailable until it is back. The kernel keeps trying to connect.';
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
      const problem = error instanceof NoConnection ? error.message : await this.#describe(error);
      // Also if the server lost the session: that happened before its tools were listed, and would happen again.
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
      onListChanged: this.#requestRefresh,
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
    this.#skip(left_out);
    this.tools = tools;
    this.#settleAttempt();
    onChange();
  }

  #becomeDown(problem: string): void {
    const { log, onChange } = this.#deps;
    if (this.#stop.signal.aborted) return;
    // Each reason is logged once, however many attempts fail because of it.
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
      this.#skip(left_out);
      if (JSON.stringify(tools) === JSON.stringify(this.tools)) return;
      this.tools = tools;
      onChange();
    } catch (error) {
      log.warn(
        { server: this.name, problem: await this.#describe(error) },
        'listing the tools of an MCP server again failed',
      );
    }
  }

  /** Describes why a list failed. A server may reject the token only there, and then needs a new sign-in. */
  async #describe(error: unknown): Promise<string> {
    return (await describeRefusal(error, this.#deps.auth)) ?? describeError(error);
  }

  #skip(left_out: readonly string[]): void {
    this.skipped = left_out.map(sentence => `Skipped ${sentence}`);
    if (left_out.length > 0)
      this.#deps.log.warn({ server: this.name, left_out }, 'tools of an MCP server were skipped');
  }
}
