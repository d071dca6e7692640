/**
 * Completions: calls to a model outside of any chat (API-5). They are in no history, and their cost belongs to no
 * chat.
 */
import { createHash } from 'node:crypto';
import { type Completion, type CompletionRequest, KernelError, type Usage } from '@chat-kernel/protocol';
import { unknownModel } from '../model/choice.ts';
import { chooseEffort } from '../model/effort.ts';
import { likelyCost } from '../model/likely-cost.ts';
import { answerTo, leastEffort, type SideRequest, sideTokens } from '../model/side-call.ts';
import { sideFailure } from '../model/side-failure.ts';
import type { LanguageModel, Models, Store, TraceContext } from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import type { Spending } from '../spend/spending.ts';
import { promptOf } from './prompt-of.ts';

export class Completions {
  readonly #store: Pick<Store, 'spend'>;
  readonly #models: Models;
  readonly #spending: Spending;
  /** Aborted when the kernel stops. */
  readonly #closing: AbortSignal;

  constructor(store: Pick<Store, 'spend'>, models: Models, spending: Spending, closing: AbortSignal) {
    this.#store = store;
    this.#models = models;
    this.#spending = spending;
    this.#closing = closing;
  }

  /**
   * Asks a model once.
   * @param gone aborted when the client has hung up: the call to the provider then ends too
   * @param trace of the request
   * @throws KernelError invalid_value, unknown_model, spend_cap, upstream_error, shutting_down
   */
  async complete(body: CompletionRequest, gone: AbortSignal, trace?: TraceContext): Promise<Completion> {
    const messages = promptOf(body);
    const model = this.#modelOf(body);
    const request = { ...requestOf(body, messages, model), trace };
    const signal = AbortSignal.any([gone, this.#closing]);
    let spent: Usage | undefined;
    let reservation: Reservation | undefined;
    try {
      reservation = await this.#reserve(model, request, signal);
      const { text, usage, schema_enforced } = await answerTo(model, request, signal, usage => {
        spent = usage;
      });
      return { text, model: model.record.id, usage, ...(body.schema && { schema_enforced }) };
    } catch (error) {
      throw sideFailure(error, { closing: this.#closing, gone });
    } finally {
      try {
        if (spent) await this.#record(model.record.id, spent);
      } finally {
        reservation?.free();
      }
    }
  }

  async #record(model: string, spent: Usage): Promise<void> {
    const day = this.#spending.record(spent, model, null);
    await this.#store.spend.record({ model, turns: 0, ...spent }, [day]);
  }

  /** @throws KernelError spend_cap where a cap is reached */
  async #reserve({ record }: LanguageModel, request: SideRequest, signal: AbortSignal): Promise<Reservation> {
    const estimate = () => likelyCost(record, sideTokens(request), request.max_output_tokens);
    const given = await this.#spending.reserveSide(record, null, estimate, signal);
    if (typeof given === 'string') throw new KernelError('spend_cap', given);
    return given;
  }

  #modelOf({ model: id }: CompletionRequest): LanguageModel {
    const model = id === undefined ? this.#models.default() : this.#models.find(id);
    if (model !== undefined) return model;
    if (id !== undefined) throw unknownModel(id, this.#models, '/model');
    throw new KernelError('upstream_error', 'No model can be used: name a provider in the settings.');
  }
}

function requestOf(
  { system = '', effort, max_tokens, cache, schema }: CompletionRequest,
  messages: SideRequest['messages'],
  { record }: LanguageModel,
): SideRequest {
  const header = system.toWellFormed();
  return {
    system: header,
    messages,
    effort: effort === undefined ? leastEffort(record) : nearestTo(effort, record.efforts),
    ...(max_tokens !== undefined && { max_output_tokens: Math.min(max_tokens, record.max_output_tokens) }),
    // Calls with the same header share a key, so that providers find their cache warm.
    cache_key: `complete ${createHash('sha256').update(header).digest('hex').slice(0, 32)}`,
    cache: cache ? 'system' : 'nothing',
    ...(schema && { schema }),
  };
}

const nearestTo = (
  effort: NonNullable<CompletionRequest['effort']>,
  efforts: Parameters<typeof chooseEffort>[1],
) =>
  chooseEffort(
    { turn: effort, master_text: undefined, chat: null, surface: undefined, model: null, global: effort },
    efforts,
  ).value;
