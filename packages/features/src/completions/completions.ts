/**
 * Runs completions: model calls outside of any chat (API-5). They are not part of a history, and their cost is not
 * assigned to a chat.
 */
import { createHash } from 'node:crypto';
import {
  answerTo,
  chooseEffort,
  type FeatureHost,
  type LanguageModel,
  leastEffort,
  likelyCost,
  type Reservation,
  type SideRequest,
  sideFailure,
  sideTokens,
  unknownModel,
} from '@chat-kernel/kernel';
import type { Completion, CompletionRequest } from '@chat-kernel/protocol';
import { KernelError, type Usage } from '@chat-kernel/protocol';
import { buildPrompt } from './build-prompt.ts';

type CompletionHost = Pick<FeatureHost, 'closing' | 'models' | 'spending' | 'store'>;

export class Completions {
  readonly #host: CompletionHost;

  constructor(host: CompletionHost) {
    this.#host = host;
  }

  /**
   * Calls a model once.
   * @param disconnected aborted when the client has disconnected, which also ends the provider request
   * @throws KernelError invalid_value, unknown_model, spend_cap, upstream_error, shutting_down
   */
  async complete(body: CompletionRequest, disconnected: AbortSignal): Promise<Completion> {
    const messages = buildPrompt(body);
    const model = this.#modelOf(body);
    const request = toSideRequest(body, messages, model);
    const { closing } = this.#host;
    const signal = AbortSignal.any([disconnected, closing]);
    let spent: Usage | undefined;
    let reservation: Reservation | undefined;
    try {
      reservation = await this.#reserve(model, request, signal);
      const { text, usage, schema_enforced } = await answerTo(model, request, signal, usage => {
        spent = usage;
      });
      return { text, model: model.record.id, usage, ...(body.schema && { schema_enforced }) };
    } catch (error) {
      throw sideFailure(error, { closing, gone: disconnected });
    } finally {
      try {
        if (spent) await this.#record(model.record.id, spent);
      } finally {
        reservation?.free();
      }
    }
  }

  async #record(model: string, spent: Usage): Promise<void> {
    const day = this.#host.spending.record(spent, model, null);
    await this.#host.store.spend.record({ model, turns: 0, ...spent }, [day]);
  }

  /** @throws KernelError spend_cap if a cap is reached */
  async #reserve({ record }: LanguageModel, request: SideRequest, signal: AbortSignal): Promise<Reservation> {
    const estimate = () => likelyCost(record, sideTokens(request), request.max_output_tokens);
    const reservation = await this.#host.spending.reserveSide(record, null, estimate, signal);
    if (typeof reservation === 'string') throw new KernelError('spend_cap', reservation);
    return reservation;
  }

  #modelOf({ model: id }: CompletionRequest): LanguageModel {
    const { models } = this.#host;
    const model = id === undefined ? models.default() : models.find(id);
    if (model !== undefined) return model;
    if (id !== undefined) throw unknownModel(id, models, '/model');
    throw new KernelError('upstream_error', 'No model is available. Configure a provider in the settings.');
  }
}

function toSideRequest(
  { system = '', effort, max_tokens, cache, schema }: CompletionRequest,
  messages: SideRequest['messages'],
  { record }: LanguageModel,
): SideRequest {
  const header = system.toWellFormed();
  return {
    system: header,
    messages,
    effort: effort === undefined ? leastEffort(record) : nearestEffort(effort, record.efforts),
    ...(max_tokens !== undefined && { max_output_tokens: Math.min(max_tokens, record.max_output_tokens) }),
    // Calls with the same header share a key, so that the cache of the provider matches.
    cache_key: `complete ${createHash('sha256').update(header).digest('hex').slice(0, 32)}`,
    cache: cache ? 'system' : 'nothing',
    ...(schema && { schema }),
  };
}

const nearestEffort = (
  effort: NonNullable<CompletionRequest['effort']>,
  efforts: Parameters<typeof chooseEffort>[1],
) =>
  chooseEffort(
    { turn: effort, master_text: undefined, chat: null, surface: undefined, model: null, global: effort },
    efforts,
  ).value;
