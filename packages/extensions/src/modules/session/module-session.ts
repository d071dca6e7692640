/** A module that answers: what it has declared, and all that is asked of it until its connection ends. */
import { randomUUID } from 'node:crypto';
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
import { Peer, type PeerEnd, RpcError, TimedOut } from '../../jsonrpc/index.ts';
import type { Channel } from '../connectors/connector.ts';
import { readDeclaration } from './declaration.ts';
import type { ModuleLog } from './module-log.ts';

const INITIALIZE_MS = 10_000;
const PING_EVERY_MS = 30_000;
const PING_MS = 10_000;

export interface SessionParts {
  name: string;
  kernel: InitializeParams['kernel'];
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  /** It declares its tools anew; `params` are unread. */
  onToolsChanged(params: unknown): void;
}

export interface ToolCall extends Omit<CallParams, 'call_id'> {
  timeoutMs: number;
  signal: AbortSignal;
  onProgress(output: string): void;
}

export class Session {
  readonly #peer: Peer;
  readonly #clock: Clock;
  /** call_id → who is shown what the call does. */
  readonly #progress = new Map<string, (output: string) => void>();
  #cancelPing = () => {};

  constructor(channel: Channel, { name, clock, log, moduleLog, onToolsChanged }: SessionParts) {
    this.#clock = clock;
    const { readable, writable } = channel;
    const onNotification = (method: string, params: unknown) => {
      switch (method) {
        case 'progress':
          this.#progressed(params);
          break;
        case 'tools/changed':
          onToolsChanged(params);
          break;
        case 'log':
          moduleLog.notified(params);
          break;
        // Newer modules may tell more.
      }
    };
    this.#peer = new Peer({ readable, writable, clock, log, name, onNotification });
    this.#peer.ended.then(() => this.#cancelPing());
  }

  get ended(): Promise<PeerEnd> {
    return this.#peer.ended;
  }

  /** Asks for its declaration, and from then on whether it lives. @throws Refused, or what `Peer.call` throws */
  async initialize(name: string, kernel: InitializeParams['kernel']): Promise<InitializeResult> {
    const params: InitializeParams = { protocol: MODULE_PROTOCOL, name, kernel };
    const answer = await this.#peer.call('initialize', params, INITIALIZE_MS);
    const declaration = readDeclaration(answer, name);
    this.#pingLater();
    return declaration;
  }

  /** Calls a tool by its short name; answers its result, unread. @throws what `Peer.call` throws */
  async callTool({ timeoutMs, signal, onProgress, ...call }: ToolCall): Promise<unknown> {
    // Not the model's id of the call: that may come again, in another chat or even in this one.
    const call_id = randomUUID();
    const params: CallParams = { call_id, ...call };
    this.#progress.set(call_id, onProgress);
    try {
      return await this.#peer.call('tools/call', params, timeoutMs, signal);
    } catch (error) {
      // Nobody waits for it any more, and it still works on it.
      if (signal.aborted || error instanceof TimedOut) this.#peer.notify('cancelled', { call_id });
      throw error;
    } finally {
      this.#progress.delete(call_id);
    }
  }

  /** Shows a payload to a stage; answers what it makes of it, unread. @throws what `Peer.call` throws */
  runStage(
    stage: StageName,
    payload: JsonObject,
    context: TurnContext,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#peer.call('stage', { stage, payload, context }, timeoutMs, signal);
  }

  /** Ends when all that it was asked is answered. */
  retire(reason: string): void {
    this.#peer.retire(reason);
  }

  close(reason: string): void {
    this.#peer.close(reason);
  }

  #progressed(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { call_id, output } = params as JsonObject;
    if (typeof call_id === 'string' && typeof output === 'string') this.#progress.get(call_id)?.(output);
  }

  #pingLater(): void {
    this.#cancelPing = this.#clock.after(PING_EVERY_MS, async () => {
      try {
        await this.#peer.call('ping', {}, PING_MS);
      } catch (error) {
        // An error is an answer too.
        if (!(error instanceof RpcError)) {
          this.close(`it did not answer a ping within ${PING_MS / 1000} s`);
          return;
        }
      }
      this.#pingLater();
    });
  }
}
