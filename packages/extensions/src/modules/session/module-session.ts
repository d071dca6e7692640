/** A connection to a module: its declaration, the calls to it, and whether it still answers. */
import { randomUUID } from 'node:crypto';
import { RpcError, type StreamEnd, TimedOut } from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import {
  type CallParams,
  type InitializeParams,
  type InitializeResult,
  type JsonObject,
  MODULE_PROTOCOL,
  type StageName,
  type TurnContext,
} from '@chat-kernel/protocol';
import type { ModuleChannel } from '../connectors/connector.ts';
import { readDeclaration } from './declaration.ts';
import type { ModuleLog } from './module-log.ts';
import { Peer } from './peer.ts';

const INITIALIZE_MS = 10_000;
const PING_EVERY_MS = 30_000;
const PING_MS = 10_000;

interface ModuleSessionDeps {
  name: string;
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  /** The module declares its tools anew; `params` have not been checked. */
  onToolsChanged(params: unknown): void;
}

interface ModuleCall extends Omit<CallParams, 'call_id'> {
  timeoutMs: number;
  signal: AbortSignal;
  /** Gets snapshots of the output while the call runs. */
  onProgress(output: string): void;
}

export class ModuleSession {
  readonly #peer: Peer;
  readonly #clock: Clock;
  /** call_id → the callback for its progress. */
  readonly #progress = new Map<string, (output: string) => void>();
  #cancelPing = () => {};

  constructor(channel: ModuleChannel, { name, clock, log, moduleLog, onToolsChanged }: ModuleSessionDeps) {
    this.#clock = clock;
    const onNotification = (method: string, params: unknown) => {
      switch (method) {
        case 'progress':
          this.#showProgress(params);
          break;
        case 'tools/changed':
          onToolsChanged(params);
          break;
        case 'log':
          moduleLog.notified(params);
          break;
        // Newer modules may send notifications that this kernel does not know.
      }
    };
    this.#peer = new Peer({ streams: channel, clock, log, name, onNotification });
    this.#peer.ended.then(() => this.#cancelPing());
  }

  get ended(): Promise<StreamEnd> {
    return this.#peer.ended;
  }

  /** Asks the module for its declaration, and pings it from then on. @throws DeclarationRefused, or the errors of `Peer.call` */
  async initialize(name: string, kernel: InitializeParams['kernel']): Promise<InitializeResult> {
    const params: InitializeParams = { protocol: MODULE_PROTOCOL, name, kernel };
    const answer = await this.#peer.call('initialize', params, INITIALIZE_MS);
    const declaration = readDeclaration(answer, name);
    this.#pingLater();
    return declaration;
  }

  /** Calls a tool by its short name and resolves with the unchecked result. @throws the errors of `Peer.call` */
  async callTool({ timeoutMs, signal, onProgress, ...call }: ModuleCall): Promise<unknown> {
    // The id that the model gave the call would not do: another chat, or even this one, may use it again.
    const call_id = randomUUID();
    const params: CallParams = { call_id, ...call };
    this.#progress.set(call_id, onProgress);
    try {
      return await this.#peer.call('tools/call', params, timeoutMs, signal);
    } catch (error) {
      // The module may still work on a call whose result is of no use any more.
      if (signal.aborted || error instanceof TimedOut) this.#peer.notify('cancelled', { call_id });
      throw error;
    } finally {
      this.#progress.delete(call_id);
    }
  }

  /** Shows a payload to a stage and resolves with the unchecked answer. @throws the errors of `Peer.call` */
  runStage(
    stage: StageName,
    payload: JsonObject,
    context: TurnContext,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#peer.call('stage', { stage, payload, context }, timeoutMs, signal);
  }

  /** Ends the session when all open calls have ended. */
  retire(reason: string): void {
    this.#peer.retire(reason);
  }

  close(reason: string): void {
    this.#peer.close(reason);
  }

  #showProgress(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { call_id, output } = params as JsonObject;
    if (typeof call_id === 'string' && typeof output === 'string') this.#progress.get(call_id)?.(output);
  }

  #pingLater(): void {
    this.#cancelPing = this.#clock.after(PING_EVERY_MS, async () => {
      try {
        await this.#peer.call('ping', {}, PING_MS);
      } catch (error) {
        // An error as the answer is a sign of life, too.
        if (!(error instanceof RpcError)) {
          this.close(`it did not answer a ping within ${PING_MS / 1000} s`);
          return;
        }
      }
      this.#pingLater();
    });
  }
}
