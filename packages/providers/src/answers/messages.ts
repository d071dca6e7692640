/** Reads the answers of Anthropic's Messages API: content blocks that start, grow and stop. */
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { CallBounds } from '../trip/bounds.ts';
import { toTokenCount } from '../trip/token-count.ts';
import {
  type AnswerEvent,
  type AnswerPart,
  type AnswerReader,
  asObject,
  asObjects,
  isText,
  unread,
} from './answer.ts';
import { begin, end, grow, sign } from './blocks.ts';

interface Block {
  kind: 'text' | 'reasoning' | 'call' | 'unread';
  /** The id in parts. */
  id: string;
  call?: Call;
}

interface Call {
  id: string;
  name: string;
  /** The input that the start brought; pieces replace it. */
  whole: string;
  pieces: string;
}

/** Events and deltas that say nothing about the answer that the kernel uses. */
const SILENT = new Set(['ping', 'citations_delta', 'signature_delta']);

const KIND_OF_DELTA: ReadonlyMap<string, 'text' | 'reasoning'> = new Map(
  Object.entries({
    text_delta: 'text',
    thinking_delta: 'reasoning',
    signature_delta: 'reasoning',
  } as const),
);

export class MessagesReader implements AnswerReader {
  readonly #bounds: CallBounds;
  /** The blocks that have not stopped, by their index on the wire. */
  readonly #open = new Map<unknown, Block>();
  #blocks = 0;
  #usage: AnswerEvent = {};
  #reason: string | undefined;

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#bounds = new CallBounds(provider);
  }

  read(event: AnswerEvent, parts: AnswerPart[], name: string | undefined): void {
    const type = event.type ?? name;
    switch (type) {
      case 'content_block_delta':
        this.#grow(event.index, asObject(event.delta), parts);
        break;
      case 'content_block_start':
        this.#stop(event.index, parts);
        this.#start(event.index, asObject(event.content_block), parts);
        break;
      case 'content_block_stop':
        this.#stop(event.index, parts);
        break;
      case 'message_start':
        this.#readMessage(asObject(event.message), parts);
        break;
      case 'message_delta':
        this.#readEnding(asObject(event.delta), event.usage);
        break;
      case 'message_stop':
        this.end(parts, true);
        break;
      case 'message':
        this.#readMessage(event, parts);
        this.end(parts, true);
        break;
      default:
        if (!SILENT.has(String(type))) {
          const content = ['content', 'content_block', 'delta', 'text'].some(field => event[field] != null);
          parts.push(unread(String(type), content));
        }
    }
  }

  end(parts: AnswerPart[], isMarked: boolean): void {
    // A call of an interrupted answer may be incomplete.
    const raw = this.#reason ?? (isMarked ? 'end_turn' : undefined);
    if (raw !== undefined) for (const index of [...this.#open.keys()]) this.#stop(index, parts);
    const unified = REASONS.get(raw ?? '') ?? 'other';
    parts.push({ type: 'finish', finishReason: { unified, raw }, usage: parseUsage(this.#usage) });
  }

  /** A whole message, or the beginning of one: it may bring blocks. */
  #readMessage(message: AnswerEvent, parts: AnswerPart[]): void {
    for (const block of asObjects(message.content)) {
      this.#start(undefined, block, parts);
      this.#stop(undefined, parts);
    }
    this.#readEnding(message, message.usage);
  }

  #readEnding({ stop_reason }: AnswerEvent, usage: unknown): void {
    // A later count replaces an earlier one, but a missing one does not.
    for (const [name, count] of Object.entries(asObject(usage))) if (count != null) this.#usage[name] = count;
    if (isText(stop_reason)) this.#reason = stop_reason;
  }

  #start(index: unknown, block: AnswerEvent, parts: AnswerPart[]): void {
    const id = String(this.#blocks++);
    switch (block.type) {
      case 'text':
        this.#open.set(index, { kind: 'text', id });
        begin(parts, 'text', id);
        grow(parts, 'text', id, block.text);
        break;
      case 'thinking':
        this.#open.set(index, { kind: 'reasoning', id });
        begin(parts, 'reasoning', id);
        grow(parts, 'reasoning', id, block.thinking);
        if (isText(block.signature)) this.#sign(id, block.signature, parts);
        break;
      case 'redacted_thinking':
        this.#open.set(index, { kind: 'reasoning', id });
        begin(parts, 'reasoning', id, { anthropic: { redactedData: String(block.data ?? '') } });
        break;
      case 'tool_use': {
        const [callId, name] = [block.id, block.name].map(field => (isText(field) ? field : ''));
        const call = { id: callId!, name: name!, whole: wholeInput(block.input), pieces: '' };
        this.#bounds.add(id, call.whole);
        this.#open.set(index, { kind: 'call', id, call });
        parts.push({ type: 'tool-input-start', id, toolName: call.name });
        break;
      }
      default:
        this.#open.set(index, { kind: 'unread', id });
        parts.push(unread(`content_block_start ${block.type}`, true));
    }
  }

  #grow(index: unknown, delta: AnswerEvent, parts: AnswerPart[]): void {
    const type = String(delta.type);
    const block = this.#open.get(index) ?? this.#begun(index, type, parts);
    // The whole block is unread, and reported.
    if (block?.kind === 'unread') return;
    if (type === 'text_delta' && block?.kind !== 'call') grow(parts, 'text', block?.id ?? '', delta.text);
    else if (type === 'thinking_delta' && block?.kind !== 'call')
      grow(parts, 'reasoning', block?.id ?? '', delta.thinking);
    else if (type === 'signature_delta' && block?.kind === 'reasoning')
      this.#sign(block.id, delta.signature, parts);
    else if (type === 'input_json_delta' && block?.call) {
      const text = isText(delta.partial_json) ? delta.partial_json : '';
      this.#bounds.add(block.id, text);
      block.call.pieces += text;
    } else if (!SILENT.has(type)) parts.push(unread(`content_block_delta ${type}`, true));
  }

  /** Begins the block of a delta whose start is missing; without an index, the delta belongs to the newest block. */
  #begun(index: unknown, type: string, parts: AnswerPart[]): Block | undefined {
    const kind = KIND_OF_DELTA.get(type);
    const newest = [...this.#open.values()].at(-1);
    if (index === undefined && newest) return newest;
    if (!kind) return undefined;
    const block: Block = { kind, id: String(this.#blocks++) };
    this.#open.set(index, block);
    begin(parts, kind, block.id);
    return block;
  }

  #sign(id: string, signature: unknown, parts: AnswerPart[]): void {
    sign(parts, 'reasoning', id, { anthropic: { signature: String(signature) } });
  }

  #stop(index: unknown, parts: AnswerPart[]): void {
    const block = this.#open.get(index);
    if (!block) return;
    this.#open.delete(index);
    if (block.call) {
      const { id: toolCallId, name: toolName, whole, pieces } = block.call;
      parts.push({ type: 'tool-call', toolCallId, toolName, input: pieces || whole });
    } else if (block.kind === 'text' || block.kind === 'reasoning') end(parts, block.kind, block.id);
  }
}

/** The input that a block brings at its start; deltas follow an empty one. */
function wholeInput(input: unknown): string {
  if (typeof input === 'string') return input;
  return Object.keys(asObject(input)).length > 0 ? JSON.stringify(input) : '';
}

const REASONS: ReadonlyMap<string, LanguageModelV4FinishReason['unified']> = new Map(
  Object.entries({
    end_turn: 'stop',
    stop_sequence: 'stop',
    pause_turn: 'stop',
    refusal: 'content-filter',
    tool_use: 'tool-calls',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
  } as const),
);

/** Anthropic counts tokens read from and written to the cache separately from other input. */
function parseUsage(usage: AnswerEvent): LanguageModelV4Usage {
  const cacheRead = toTokenCount(usage.cache_read_input_tokens);
  const cacheWrite = toTokenCount(usage.cache_creation_input_tokens);
  const noCache = toTokenCount(usage.input_tokens);
  return {
    inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
    outputTokens: {
      total: toTokenCount(usage.output_tokens),
      text: undefined,
      reasoning: toTokenCount(asObject(usage.output_tokens_details).thinking_tokens),
    },
  };
}
