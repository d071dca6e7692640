/** Manages a connection to a module: its declaration, the calls to it, and whether it still answers. */
import { randomUUID } from 'node:crypto';
import { INVALID_PARAMS, RpcError, type StreamEnd, TimedOut } from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import {
  type CallParams,
  ConsentParams,
  type ConsentResult,
  type InitializeParams,
  type InitializeResult,
  type JsonObject,
  MODULE_PROTOCOL,
  QuestionParams,
  type QuestionResult,
  type StageName,
  type TurnContext,
} from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import type { ModuleChannel } from '../connectors/connector.ts';
import type { AnchorOwners } from './anchor-owners.ts';
import { CallTime } from './call-time.ts';
import { mistakesIn, readDeclaration } from './declaration.ts';
import type { ModuleLog } from './module-log.ts';
import { Peer } from './peer.ts';

const INITIALIZE_MS = 10_000;
const PING_EVERY_MS = 30_000;
const PING_MS = 10_000;
const MAX_METHOD_CHARS = 100;

interface ModuleSessionDeps {
  name: string;
  anchors: AnchorOwners;
  clock: Clock;
  log: Log;
  moduleLog: ModuleLog;
  /** Called when the module declares its tools again; `params` have not been validated. */
  onToolsChanged(params: unknown): void;
  /** Asks the owner, outside of calls. @param over aborted at the end of the session. @throws RpcError */
  onQuestion(question: QuestionParams, over: AbortSignal): Promise<QuestionResult>;
  /** Called for each part of a message that was not understood, with its name there. */
  onUnread(shape: string): void;
}

interface ModuleCall extends Omit<CallParams, 'call_id'> {
  timeoutMs: number;
  signal: AbortSignal;
  /** Receives snapshots of the output while the call runs. */
  onProgress(output: string): void;
  /** Asks the owner; the time limit of the call is suspended until then. @param over aborted at the end of the call */
  onConsent(shown: ConsentParams['shown'], over: AbortSignal): Promise<ConsentResult>;
}

/** The handlers of messages from a module about a running call. */
interface RunningCall {
  showProgress(output: string): void;
  consent(shown: ConsentParams['shown']): Promise<ConsentResult>;
}

export class ModuleSession {
  readonly #peer: Peer;
  readonly #clock: Clock;
  readonly #calls = new Map<string, RunningCall>();
  readonly #contextFor: (context: TurnContext) => TurnContext;
  readonly #over = new AbortController();
  readonly #onQuestion: ModuleSessionDeps['onQuestion'];
  readonly #onUnread: ModuleSessionDeps['onUnread'];
  #cancelPing = () => {};

  constructor(
    channel: ModuleChannel,
    { name, anchors, clock, log, moduleLog, onToolsChanged, onQuestion, onUnread }: ModuleSessionDeps,
  ) {
    this.#clock = clock;
    this.#onQuestion = onQuestion;
    this.#onUnread = onUnread;
    this.#contextFor = context => anchors.contextFor(name, context);
    const onNotification = (method: string, params: unknown) => {
      switch (method) {
        case 'progress':
          this.#showProgress(params);
          break;
        case 'tools/changed':
          onToolsChanged(params);
          break;
        case 'log':
          if (!moduleLog.notified(params)) onUnread('log');
          break;
        // Newer modules may send notifications that this kernel does not know.
        default:
          onUnread(`notification ${cutText(method, MAX_METHOD_CHARS)}`);
      }
    };
    const onRequest = (method: string, params: unknown) => {
      if (method === 'consent') return this.#consent(params);
      return method === 'question' ? this.#question(params) : undefined;
    };
    this.#peer = new Peer({ streams: channel, clock, log, name, onNotification, onRequest, onUnread });
    this.#peer.ended.then(() => {
      this.#cancelPing();
      this.#over.abort(new Error('the connection of the module has ended'));
    });
  }

  get ended(): Promise<StreamEnd> {
    return this.#peer.ended;
  }

  /**
   * Requests the declaration of the module, and pings it from then on. @throws DeclarationRefused, or the errors of
   * `Peer.call`
   */
  async initialize(name: string, kernel: InitializeParams['kernel']): Promise<InitializeResult> {
    const params: InitializeParams = { protocol: MODULE_PROTOCOL, name, kernel };
    const answer = await this.#peer.call('initialize', params, INITIALIZE_MS);
    const declaration = readDeclaration(answer, name);
    this.#pingLater();
    return declaration;
  }

  /** Calls a tool by its short name and resolves with the unvalidated result. @throws the errors of `Peer.call` */
  async callTool({ timeoutMs, signal, onProgress, onConsent, ...call }: ModuleCall): Promise<unknown> {
    // The model's id of the call is not unique: another chat, or even this one, may use it again.
    const call_id = randomUUID();
    const params: CallParams = { call_id, ...call, context: this.#contextFor(call.context) };
    const time = new CallTime(timeoutMs, this.#clock);
    this.#calls.set(call_id, {
      showProgress: onProgress,
      consent: shown => time.rest(() => onConsent(shown, time.over)),
    });
    try {
      return await this.#peer.call('tools/call', params, undefined, AbortSignal.any([signal, time.over]));
    } catch (error) {
      // The module may still be working on a call whose result is not needed.
      if (signal.aborted || error instanceof TimedOut) this.#peer.notify('cancelled', { call_id });
      throw error;
    } finally {
      this.#calls.delete(call_id);
      time.end();
    }
  }

  /** Sends a payload to a stage and resolves with the unvalidated answer. @throws the errors of `Peer.call` */
  runStage(
    stage: StageName,
    payload: JsonObject,
    context: TurnContext,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const params = { stage, payload, context: this.#contextFor(context) };
    return this.#peer.call('stage', params, timeoutMs, signal);
  }

  /** Ends the session when all open calls have ended. */
  retire(reason: string): void {
    this.#peer.retire(reason);
  }

  close(reason: string): void {
    this.#peer.close(reason);
  }

  #showProgress(params: unknown): void {
    const { call_id, output } = (params ?? {}) as JsonObject;
    if (typeof call_id === 'string' && typeof output === 'string')
      this.#calls.get(call_id)?.showProgress(output);
    else this.#onUnread('progress');
  }

  /** @throws RpcError that describes the mistake */
  async #consent(params: unknown): Promise<ConsentResult> {
    const { data, error } = ConsentParams.safeParse(params);
    if (error) throw new RpcError(INVALID_PARAMS, mistakesIn(error));
    const call = this.#calls.get(data.call_id);
    if (!call) throw new RpcError(INVALID_PARAMS, 'call_id: no call of this id runs');
    return call.consent(data.shown);
  }

  /** @throws RpcError that describes the mistake */
  async #question(params: unknown): Promise<QuestionResult> {
    const { data, error } = QuestionParams.safeParse(params);
    if (error) throw new RpcError(INVALID_PARAMS, mistakesIn(error));
    return this.#onQuestion(data, this.#over.signal);
  }

  #pingLater(): void {
    this.#cancelPing = this.#clock.after(PING_EVERY_MS, async () => {
      try {
        await this.#peer.call('ping', {}, PING_MS);
      } catch (error) {
        // An error response also shows that the module is alive.
        if (!(error instanceof RpcError)) {
          this.close(`it did not respond to a ping within ${PING_MS / 1000} s`);
          return;
        }
      }
      this.#pingLater();
    });
  }
}
