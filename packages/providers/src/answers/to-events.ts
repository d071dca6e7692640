/**
 * Converts the provider packages' stream parts to the kernel's events. The switch runs once per token, so the deltas
 * come first.
 */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { FinishReason, ModelEvent, Origin, TripUsage } from '@chat-kernel/kernel';
import {
  ImageMediaType,
  isTextTooDeep,
  isTooDeep,
  type JsonObject,
  MAX_INPUT_LEVELS,
} from '@chat-kernel/protocol';
import { CallBounds, overBound, TOO_DEEP_INPUT } from '../trip/bounds.ts';
import { StreamFailure } from '../trip/stream-failure.ts';
import { toTokenCount } from '../trip/token-count.ts';
import type { AnswerPart } from './answer.ts';

type StreamPart<Type extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: Type }
>;
type FinishPart = StreamPart<'finish'>;
type Metadata = Record<string, Record<string, unknown>>;
interface OpenBlock {
  kind: 'text' | 'thinking';
  /** The package's id of the block. */
  id: string;
  metadata: Metadata | undefined;
  empty: boolean;
  /**
   * The package has ended it. The next part closes it, because packages also end the blocks of an interrupted response.
   */
  over: boolean;
}

/**
 * Creates a function that reads a part and emits its events. That function throws if the part reports that the request
 * failed.
 * @param onUnread called for each part that was not understood
 */
export function partReader(
  origin: Omit<Origin, 'metadata'>,
  emit: (event: ModelEvent) => void,
  onUnread: (shape: string) => void = () => {},
): (part: AnswerPart) => void {
  let open: OpenBlock | undefined;
  const bounds = { pieces: new CallBounds(origin.provider), calls: new CallBounds(origin.provider) };
  let calls = 0;

  /** Later metadata completes earlier metadata: a signature arrives at a block's end. @throws ModelError */
  const learn = (block: OpenBlock, later: Metadata): void => {
    checkMetadata(later, origin.provider);
    const metadata = { ...block.metadata };
    for (const [provider, facts] of Object.entries(later))
      metadata[provider] = { ...metadata[provider], ...facts };
    block.metadata = metadata;
  };
  const close = () => {
    if (!open) return;
    const { kind, metadata, empty } = open;
    open = undefined;
    // Keep an empty text only for its signature: Google signs an answer that way.
    if (empty && (kind === 'text' ? metadata?.google?.thoughtSignature === undefined : !metadata)) return;
    // Thinking keeps its origin even without metadata, because it is sent back only to its own provider.
    const keeps = metadata !== undefined || kind === 'thinking';
    emit({ type: 'end', block: kind, ...(keeps && { origin: { ...origin, metadata: metadata ?? {} } }) });
  };
  const begin = (kind: OpenBlock['kind'], part: { id: string; providerMetadata?: object }): OpenBlock => {
    close();
    open = { kind, id: part.id, metadata: undefined, empty: true, over: false };
    if (part.providerMetadata) learn(open, part.providerMetadata as Metadata);
    return open;
  };
  const delta = (kind: OpenBlock['kind'], part: StreamPart<'text-delta' | 'reasoning-delta'>) => {
    const goesOn = open?.id === part.id && open.kind === kind && !open.over;
    const block = goesOn ? (open as OpenBlock) : begin(kind, part);
    if (part.providerMetadata) learn(block, part.providerMetadata as Metadata);
    if (part.delta === '') return;
    block.empty = false;
    const refusal = kind === 'text' && block.metadata?.compatible?.refusal === true;
    emit(refusal ? { type: 'text', text: part.delta, refusal } : { type: kind, text: part.delta });
  };
  const end = (kind: OpenBlock['kind'], part: StreamPart<'text-end' | 'reasoning-end'>) => {
    if (open?.id !== part.id || open.kind !== kind) return;
    if (part.providerMetadata) learn(open, part.providerMetadata as Metadata);
    open.over = true;
  };
  const call = (part: StreamPart<'tool-call'>) => {
    if (part.providerExecuted) return;
    close();
    const metadata = part.providerMetadata;
    calls += 1;
    bounds.calls.add(calls, part.input);
    if (isTextTooDeep(part.input, MAX_INPUT_LEVELS)) throw overBound(origin.provider, TOO_DEEP_INPUT);
    if (metadata) checkMetadata(metadata, origin.provider);
    emit({
      type: 'call',
      id: part.toolCallId,
      name: part.toolName,
      ...parseInput(part.input),
      ...(metadata && { origin: { ...origin, metadata } }),
    });
  };
  const image = (part: StreamPart<'file'>) => {
    const mediaType = ImageMediaType.safeParse(part.mediaType);
    if (!mediaType.success || part.data.type !== 'data') return;
    close();
    const { data } = part.data;
    const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : data;
    emit({ type: 'image', media_type: mediaType.data, bytes });
  };
  const finish = (part: FinishPart) => {
    const { unified, raw } = part.finishReason;
    const missing = unified === 'other' && raw === undefined;
    if (unified === 'error' || unified === 'interrupted' || missing) {
      throw new StreamFailure('The answer broke off before its end.');
    }
    close();
    emit({
      type: 'finish',
      reason: raw === PAUSED ? 'length' : REASONS[unified],
      usage: tripUsage(part.usage),
    });
  };

  return part => {
    switch (part.type) {
      case 'text-delta':
        return delta('text', part);
      case 'reasoning-delta':
        return delta('thinking', part);
      case 'text-start':
        begin('text', part);
        return;
      case 'reasoning-start':
        begin('thinking', part);
        return;
      case 'text-end':
        return end('text', part);
      case 'reasoning-end':
        return end('thinking', part);
      case 'tool-call':
        return call(part);
      case 'file':
        return image(part);
      case 'finish':
        return finish(part);
      case 'error':
        throw new StreamFailure('The provider reported an error.', { cause: part.error });
      case 'tool-input-start':
        // The input of a call may take long, and the text before it is complete.
        if (open?.over) close();
        return;
      case 'tool-input-delta':
        // The complete input follows; until then the package collects the pieces.
        bounds.pieces.add(part.id, part.delta);
        return;
      case 'unread':
        onUnread(part.shape);
        if (part.content) emit({ type: 'unread', shape: part.shape });
        return;
      // The kernel lets no provider run tools itself, and the other parts are for logs.
      case 'tool-input-end':
      case 'tool-result':
      case 'tool-approval-request':
      case 'reasoning-file':
      case 'custom':
      case 'source':
      case 'stream-start':
      case 'response-metadata':
      case 'ping':
      case 'raw':
        return;
      default:
        part satisfies never;
    }
  };
}

function checkMetadata(metadata: object, provider: string): void {
  if (isTooDeep(metadata, MAX_INPUT_LEVELS)) {
    throw overBound(provider, `metadata nested more than ${MAX_INPUT_LEVELS} levels deep`);
  }
}

function parseInput(text: string): { input: JsonObject; invalid?: string } {
  // Several servers send no text for a call without arguments.
  if (text.trim() === '') return { input: {} };
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return { input: input as JsonObject };
  } catch {
    // Text that is not JSON is returned to the model with an error.
  }
  return { input: {}, invalid: text };
}

/** Anthropic's reason for an answer that another request must continue. The package treats it as a complete answer. */
const PAUSED = 'pause_turn';
type WholeAnswerReason = Exclude<FinishPart['finishReason']['unified'], 'error' | 'interrupted'>;
const REASONS: Record<WholeAnswerReason, FinishReason> = {
  stop: 'stop',
  'tool-calls': 'tools',
  length: 'length',
  'content-filter': 'content_filter',
  other: 'other',
};

/** Returns null if the provider reported no usage; some packages return zero then. */
function tripUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TripUsage | null {
  const prompt = toTokenCount(inputTokens.total);
  const reasoning = toTokenCount(outputTokens.reasoning);
  const completion = Math.max(toTokenCount(outputTokens.total), reasoning);
  if (prompt === 0 && completion === 0) return null;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    reasoning_tokens: reasoning,
    cached_tokens: Math.min(toTokenCount(inputTokens.cacheRead), prompt),
  };
}
