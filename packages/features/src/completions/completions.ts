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
  type NewMessage,
  type Reservation,
  repair,
  type SideRequest,
  sideFailure,
  sideTokens,
  unknownModel,
} from '@chat-kernel/kernel';
import {
  type Completion,
  type CompletionRequest,
  KernelError,
  type ProblemPart,
  type Usage,
} from '@chat-kernel/protocol';

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

/**
 * Checks the messages of a one-off call and makes them valid for any provider. Returns the messages for the model.
 * @throws KernelError invalid_value
 */
function buildPrompt({ prompt, messages }: CompletionRequest): SideRequest['messages'] {
  const wrong = mistakes(prompt, messages);
  if (wrong.length > 0) throw new KernelError('invalid_value', wrong[0]?.detail ?? '', { errors: wrong });
  return repair((messages ?? [{ role: 'user', content: prompt ?? '' } as const]).map(toDraft));
}

function mistakes(prompt: string | undefined, messages: CompletionRequest['messages']): ProblemPart[] {
  if ((prompt === undefined) === (messages === undefined)) {
    const detail = 'Give either prompt or messages.';
    return ['/prompt', '/messages'].map(pointer => ({ pointer, detail }));
  }
  if (prompt !== undefined) {
    return prompt.trim() === '' ? [{ pointer: '/prompt', detail: 'The prompt is empty.' }] : [];
  }
  const history = messages ?? [];
  const last = history.length - 1;
  if (last < 0) return [{ pointer: '/messages', detail: 'messages is empty.' }];
  const empty = history.flatMap(({ content }, index) =>
    content.trim() === '' ? [{ pointer: `/messages/${index}/content`, detail: 'The message is empty.' }] : [],
  );
  if (history[last]?.role === 'user') return empty;
  return [
    ...empty,
    { pointer: `/messages/${last}/role`, detail: 'The last message must have the role user.' },
  ];
}

/** A message for `repair`, which reads only role and content; it belongs to no chat and is never stored. */
const toDraft = ({ role, content }: NonNullable<CompletionRequest['messages']>[number]): NewMessage => ({
  id: '',
  chat_id: '',
  role,
  turn_id: null,
  content: [{ type: 'text', text: content.toWellFormed() }],
  created_at: '',
  status: 'completed',
});
