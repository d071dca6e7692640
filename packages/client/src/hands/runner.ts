/**
 * Executes the kernel's operations for this client: each one once, only new or still open ones, and only those meant
 * for this client (EV-12, EV-15). Replayed events execute nothing.
 *
 * `take` needs every event of a chat, and `catchUp` a call after each new connection: an operation that was requested
 * while the connection was interrupted is only in GET /v1/requests.
 */
import { DECISIONS, factsOfDecision, isLasting, sandboxException } from '@chat-kernel/protocol/tables';
import {
  isConsentRequest,
  type Operation,
  type OperationEvent,
  type SandboxKind,
  toOperation,
} from '../api/operation.ts';
import type { EventOf, JsonObject, TurnEvent } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isRetryable } from '../http/errors.ts';
import { abortable, RetryBackoff } from '../streams/retry-backoff.ts';
import { type Choice, decide, denial } from './approval.ts';
import { ChunkedWrites, isProjectRead, isUndoPreview } from './auto-approved.ts';
import { ACTIONS, executeOperation, UNKNOWN_ACTION } from './execute-operation.ts';
import { TakenRequests } from './handled-requests.ts';
import type { Hands } from './hands.ts';
import type { ExtraToolHandler, HandsOptions } from './hands-options.ts';
import { type LastingChoice, type LocalApprovals, MemoryApprovals } from './local-approvals.ts';
import { progressPoster } from './progress-poster.ts';
import { errorMessage, responseSender, type SendResponse } from './response-sender.ts';
import { AllowedCalls, operationsOfCall } from './whole-calls.ts';

const DEFAULT_MAX_RETRY_MS = 600_000;

interface TurnFields {
  client_ops: boolean;
  project_docs: boolean;
  list_dir: boolean;
  consents: true;
  whole_calls?: true;
  client_id: string;
}

export class HandsRunner {
  readonly client_id: string;
  readonly #client: KernelClient;
  readonly #options: HandsOptions;
  readonly #closing = new AbortController();
  /** The requests that were begun or have ended, so that none is begun twice or too late. */
  readonly #taken = new TakenRequests();
  readonly #running = new Map<string, AbortController>();
  readonly #work = new Set<Promise<void>>();
  readonly #record: LocalApprovals;
  readonly #begun = new ChunkedWrites();
  readonly #calls = new AllowedCalls();
  readonly #send: SendResponse;

  constructor(client: KernelClient, options: HandsOptions) {
    this.#client = client;
    this.#options = options;
    this.client_id = options.client_id ?? crypto.randomUUID();
    this.#record = options.record ?? new MemoryApprovals();
    this.#send = responseSender(
      client,
      options.patienceMs ?? DEFAULT_MAX_RETRY_MS,
      this.#closing.signal,
      options.client_name,
    );
  }

  /** The fields of a turn's request that make this client its hands, if it supports any action. */
  get turnFields(): TurnFields {
    const { hands, whole_calls } = this.#options;
    return {
      client_ops: ACTIONS.some(action => hands[action] !== undefined),
      project_docs: hands.list_up !== undefined,
      list_dir: hands.list_dir !== undefined,
      consents: true,
      ...(whole_calls && { whole_calls }),
      client_id: this.client_id,
    };
  }

  /** The ids of operations that were begun and are not answered yet. */
  get running(): string[] {
    return [...this.#running.keys()].map(key => key.slice(key.indexOf(' ') + 1));
  }

  /** Handles the next event of a stream of the chat. Work that it starts continues in the background. */
  take(chatId: string, event: TurnEvent): void {
    switch (event.type) {
      case 'request_resolved':
        this.#end(chatId, event.id);
        break;
      case 'client_op':
      case 'consent_request':
      case 'extra_tool_call':
        if (event.replayed !== true) this.#begin(chatId, event);
        break;
      case 'done':
        this.#calls.end(chatId);
    }
  }

  /**
   * Executes the open requests for this client in the chat, and ends those that the kernel has closed.
   * @throws KernelApiError
   */
  async catchUp(chatId: string): Promise<void> {
    const { signal } = this.#closing;
    const patience = new RetryBackoff({ total: Infinity, first: 500, longest: 10_000 });
    while (!signal.aborted) {
      try {
        const running = [...this.#running.keys()].filter(key => key.startsWith(requestKey(chatId, '')));
        const { requests } = await this.#client.listRequests({ chat_id: chatId }, { signal });
        const own = requests.filter(({ chat_id }) => chat_id === chatId);
        const open = new Set(own.map(({ id }) => requestKey(chatId, id)));
        // A request may have ended while the connection was interrupted, for example with its kernel.
        for (const key of running) if (!open.has(key)) this.#running.get(key)?.abort();
        for (const { event } of own) {
          if (isForHands(event)) this.#begin(chatId, event);
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!isRetryable(error)) throw error;
        await abortable(patience.wait(error, signal), signal);
      }
    }
  }

  /** Resolves when no operation runs. */
  async idle(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** Kills running operations and stops all responses. */
  close(): void {
    this.#closing.abort();
    for (const controller of this.#running.values()) controller.abort();
  }

  #begin(chatId: string, event: HandsRequest): void {
    const key = requestKey(chatId, event.id);
    if (!this.#isMeant(event) || this.#closing.signal.aborted || this.#taken.has(key)) return;
    const tool = event.type === 'extra_tool_call' ? this.#tool(event.name) : undefined;
    // Another part of this program has the tool and answers.
    if (event.type === 'extra_tool_call' && tool === undefined) return;
    this.#taken.add(key);
    const controller = new AbortController();
    this.#running.set(key, controller);
    const { signal } = controller;
    const work = (
      event.type === 'extra_tool_call'
        ? this.#call(chatId, event, tool as ExtraToolHandler, signal)
        : isConsentRequest(event)
          ? this.#consent(toOperation(chatId, event), signal)
          : this.#operate(toOperation(chatId, event), signal)
    )
      .catch(error => this.#options.onError?.(error))
      .finally(() => {
        this.#running.delete(key);
        this.#work.delete(work);
      });
    this.#work.add(work);
  }

  /** Any client may decide about the kernel's own machine; extra tools are for clients that have them. */
  #isMeant(event: HandsRequest): boolean {
    if (event.type !== 'extra_tool_call' && isConsentRequest(event))
      return typeof event.hands !== 'string' || this.#options.standby === true;
    if (event.client_id === this.client_id) return true;
    return event.client_id === undefined && event.type === 'extra_tool_call';
  }

  /** Marks the request as handled: an older list of requests may still arrive and must not start it. */
  #end(chatId: string, id: string): void {
    const key = requestKey(chatId, id);
    this.#taken.add(key);
    this.#running.get(key)?.abort();
  }

  #tool(name: string): ExtraToolHandler | undefined {
    const { tools = {} } = this.#options;
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  }

  /** Decides about an operation that another party executes. */
  async #consent(operation: Operation, signal: AbortSignal): Promise<void> {
    const choice = await decide(this.#options.approve, operation, signal);
    if (choice) await this.#send(operation.chat_id, { id: operation.op_id, ...choice });
  }

  async #operate(operation: Operation, signal: AbortSignal): Promise<void> {
    const { hands, onOperation } = this.#options;
    const { op_id, chat_id, action, params, decisions } = operation;
    const known = (ACTIONS as string[]).includes(action) && hands[action as keyof Hands] !== undefined;
    // Do not ask the owner about an operation that is not possible.
    if (!known) return void (await this.#send(chat_id, { id: op_id, error: UNKNOWN_ACTION }));
    const choice = this.#isAllowed(operation) ? undefined : await this.#decide(operation, signal);
    if (signal.aborted) return;
    if (choice?.decision === 'deny') {
      await this.#send(chat_id, { id: op_id, ...denial(operation, choice.error) });
      return;
    }
    const by_prefix = choice ? choice.prefix !== undefined : this.#record.coversByPrefix?.(operation);
    onOperation?.(operation, 'running');
    const progress = this.#progressOf(chat_id, op_id, signal);
    const outcome = await executeOperation(hands, action, params, {
      chat_id,
      op_id,
      by_prefix,
      signal,
      progress: output => progress.show(output),
    }).finally(() => progress.end());
    if ('result' in outcome) this.#begun.wrote(operation, outcome.result);
    const taken =
      !signal.aborted && (await this.#send(chat_id, { id: op_id, ...outcome, ...(decisions && choice) }));
    onOperation?.(operation, taken ? 'answered' : 'over');
  }

  /** True if neither the kernel nor this machine needs a decision. */
  #isAllowed(operation: Operation): boolean {
    if (operation.decisions !== undefined) return false;
    if (isProjectRead(operation) || isUndoPreview(operation)) return true;
    return this.#begun.continues(operation) || this.#record.covers(operation) || this.#calls.take(operation);
  }

  /** Asks for the owner's decision, and stores it if it covers later operations too. */
  async #decide(operation: Operation, signal: AbortSignal): Promise<Choice | undefined> {
    const { decisions = ABOUT_ONE } = operation;
    if (await this.#options.uploads?.brings(operation)) return { decision: 'allow' };
    const sandbox = operation.action === 'shell' ? await this.#sandbox(operation) : undefined;
    const shown = { ...operation, decisions, ...(sandbox !== undefined && { sandbox }) };
    const choice = await decide(this.#options.approve, shown, signal);
    if (choice && choice.decision !== 'deny') this.#calls.allow(operation);
    if (choice && isLastingChoice(choice))
      for (const each of operationsOfCall(operation)) this.#record.give(choice, each);
    return choice;
  }

  async #sandbox({ params }: Operation): Promise<SandboxKind | undefined> {
    return sandboxException(params) === 'outside_sandbox' ? 'none' : this.#options.sandbox?.();
  }

  #progressOf(chatId: string, id: string, signal: AbortSignal) {
    return progressPoster(output => this.#client.showProgress(chatId, { id, output }, { signal }));
  }

  async #call(
    chatId: string,
    { id, input }: EventOf<'extra_tool_call'>,
    tool: ExtraToolHandler,
    signal: AbortSignal,
  ): Promise<void> {
    const poster = this.#progressOf(chatId, id, signal);
    const call = { id, chat_id: chatId, progress: (output: string) => poster.show(output) };
    const answer = await (async () => tool(input, signal, call))()
      .then(
        // A tool may return nothing.
        (result: string | JsonObject | undefined) => ({ id, result: result ?? '' }),
        error => ({ id, error: errorMessage(error) }),
      )
      .finally(() => poster.end());
    if (!signal.aborted) await this.#send(chatId, answer);
  }
}

/** The decisions offered if the kernel asks for none but this machine does. */
const ABOUT_ONE = DECISIONS.filter(decision => factsOfDecision(decision)?.reach === 'same');

const isLastingChoice = (choice: Choice): choice is LastingChoice => isLasting(choice.decision);

type HandsRequest = OperationEvent | EventOf<'extra_tool_call'>;

const isForHands = (event: TurnEvent): event is HandsRequest =>
  event.type === 'client_op' || event.type === 'consent_request' || event.type === 'extra_tool_call';

/** Request ids are unique only within their chat. */
const requestKey = (chatId: string, id: string): string => `${chatId} ${id}`;
