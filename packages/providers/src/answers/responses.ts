/**
 * Reads the answers of OpenAI's Responses API: output items that begin, grow and end. The end of an item, and that of the
 * answer, hold its content once more; what no delta brought is taken from there.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
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
import { begin, end, grow } from './blocks.ts';

type Kind = 'text' | 'reasoning';

interface Item {
  key: string;
  /** The id with which the item began; absent if the server names none. */
  id?: string;
  /** The item has ended, and its content was emitted. */
  isOver: boolean;
  /** The places of the texts that were emitted. */
  readonly brought: Set<string>;
  /** The block that deltas extend. */
  open?: { kind: Kind; id: string };
  /** The pieces of the input of a call. */
  input: string;
}

/** The events that end an answer. */
const ENDINGS = ['response.completed', 'response.incomplete', 'response.failed', 'response.done'];
/** The parts of an item that hold text, and the kind of block that it becomes. */
const KIND_OF_PART: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    output_text: 'text',
    text: 'text',
    refusal: 'text',
    summary_text: 'reasoning',
    reasoning_text: 'reasoning',
  } as const),
);
/** The events with a piece of text or with all of it. */
const KIND_OF_EVENT: ReadonlyMap<string, Kind> = new Map([
  ['response.output_text', 'text'],
  ['response.refusal', 'text'],
  ['response.reasoning_summary_text', 'reasoning'],
  ['response.reasoning_text', 'reasoning'],
]);

export class ResponsesReader implements AnswerReader {
  readonly #bounds: CallBounds;
  readonly #items = new Map<string, Item>();
  /** Ids that events named without the place of their item. */
  readonly #placeless = new Set<string>();
  #newest: Item | undefined;
  #called = false;
  #refused = false;
  #response: AnswerEvent | undefined;

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#bounds = new CallBounds(provider);
  }

  read(event: AnswerEvent, parts: AnswerPart[], name: string | undefined): void {
    const type = String(event.type ?? name ?? '');
    const isDelta = type.endsWith('.delta');
    const stem = isDelta ? type.slice(0, -'.delta'.length) : type.replace(/\.done$/, '');
    const kind = KIND_OF_EVENT.get(stem);
    if (kind && isDelta) this.#readDelta(stem, kind, event, parts);
    else if (kind) this.#fill(event, kind, event.text ?? event.refusal, parts);
    else if (stem === 'response.function_call_arguments') this.#readArguments(event);
    else if (type === 'response.output_item.added') this.#beginItem(event, parts);
    else if (type === 'response.output_item.done') this.#endItem(this.#itemOf(event), event.item, parts);
    else if (ENDINGS.includes(type)) this.#finish(asObject(event.response), parts);
    else if (event.object === 'response') this.#finish(event, parts);
    else if (!isSilent(type)) parts.push(unread(type, event.delta != null || event.item != null));
  }

  end(parts: AnswerPart[], _isMarked: boolean): void {
    const raw = this.#response && (this.#reason() ?? 'completed');
    const unified = this.#response ? this.#unified(this.#reason()) : 'other';
    parts.push({
      type: 'finish',
      finishReason: { unified, raw },
      usage: parseUsage(asObject(this.#response?.usage)),
    });
  }

  #readDelta(stem: string, kind: Kind, event: AnswerEvent, parts: AnswerPart[]): void {
    this.#refused ||= stem === 'response.refusal';
    const item = this.#itemOf(event);
    if (isText(event.delta)) this.#write(item, kind, placeOf(event), event.delta, parts);
  }

  /** Emits a whole text, unless deltas brought it. */
  #fill(event: AnswerEvent, kind: Kind, text: unknown, parts: AnswerPart[]): void {
    const item = this.#itemOf(event);
    const place = placeOf(event);
    if (isText(text) && !item.isOver && !item.brought.has(`${kind} ${place}`))
      this.#write(item, kind, place, text, parts);
  }

  #write(item: Item, kind: Kind, place: string, text: string, parts: AnswerPart[]): void {
    const id = `${item.key} ${kind} ${kind === 'reasoning' ? place : ''}`;
    if (item.open?.id !== id) {
      item.open = { kind, id };
      // Thinking is sent back as a whole, which all its blocks must name.
      begin(parts, kind, id, kind === 'reasoning' ? { openai: idOf(item) } : undefined);
    }
    grow(parts, kind, id, text);
    item.brought.add(`${kind} ${place}`);
  }

  #beginItem(event: AnswerEvent, parts: AnswerPart[]): void {
    const { type, name } = asObject(event.item);
    const { key } = this.#itemOf(event);
    // The input of a call may take long, and the text before it is complete.
    if (type === 'function_call') parts.push({ type: 'tool-input-start', id: key, toolName: String(name) });
  }

  /** Adds a piece of the input of a call, or all of it, unless pieces brought it. */
  #readArguments(event: AnswerEvent): void {
    const item = this.#itemOf(event);
    const text = event.delta ?? (item.input === '' ? event.arguments : undefined);
    if (!isText(text)) return;
    this.#bounds.add(item.key, text);
    item.input += text;
  }

  #endItem(item: Item, whole: unknown, parts: AnswerPart[]): void {
    if (item.isOver) return;
    const { type, ...facts } = asObject(whole);
    switch (type) {
      case 'message': {
        this.#fillAll(item, facts.content, parts);
        const phase = isText(facts.phase) ? { phase: facts.phase } : {};
        if (item.open) end(parts, 'text', item.open.id, { openai: { ...idOf(item), ...phase } });
        break;
      }
      case 'reasoning':
        this.#fillAll(item, facts.summary, parts);
        // Open models send their thinking itself; what has a summary shows only that.
        if (item.brought.size === 0) this.#fillAll(item, facts.content, parts);
        this.#endThinking(item, facts.encrypted_content, parts);
        break;
      case 'function_call': {
        const input = isText(facts.arguments) ? facts.arguments : item.input;
        if (input !== item.input) this.#bounds.add(`${item.key} whole`, input);
        this.#called = true;
        parts.push({
          type: 'tool-call',
          toolCallId: String(facts.call_id ?? item.id ?? ''),
          toolName: isText(facts.name) ? facts.name : '',
          input,
          providerMetadata: { openai: idOf(item) },
        });
        break;
      }
      case 'image_generation_call':
        if (isText(facts.result)) parts.push(image(facts.result, facts.output_format));
        break;
      default:
        parts.push(unread(`output_item ${type}`, true));
    }
    item.isOver = true;
    delete item.open;
  }

  /** The encrypted content arrives at the end, and belongs to the last block of the thinking. */
  #endThinking(item: Item, encrypted: unknown, parts: AnswerPart[]): void {
    const block = item.open?.id ?? `${item.key} reasoning`;
    if (!item.open) begin(parts, 'reasoning', block);
    end(parts, 'reasoning', block, {
      openai: { ...idOf(item), reasoningEncryptedContent: isText(encrypted) ? encrypted : null },
    });
  }

  /** Emits the parts of a list that no delta brought. */
  #fillAll(item: Item, list: unknown, parts: AnswerPart[]): void {
    for (const [place, part] of asObjects(list).entries()) {
      const kind = KIND_OF_PART.get(String(part.type));
      const text = part.text ?? part.refusal;
      this.#refused ||= part.type === 'refusal';
      if (kind === undefined) parts.push(unread(`output_item part ${part.type}`, true));
      else if (isText(text) && !item.brought.has(`${kind} ${place}`))
        this.#write(item, kind, String(place), text, parts);
    }
  }

  #finish(response: AnswerEvent, parts: AnswerPart[]): void {
    for (const [output_index, item] of asObjects(response.output).entries())
      this.#endItem(this.#itemOf({ output_index, item }), item, parts);
    this.#response = response;
    if (response.error) parts.push({ type: 'error', error: { response } });
    else this.end(parts, true);
  }

  /** The item that an event is about. Some servers change the id of an item between its events, others name no place. */
  #itemOf({ output_index: index, item_id, item }: AnswerEvent): Item {
    const id = item_id ?? asObject(item).id;
    const known = isText(id) ? id : undefined;
    const hasPlace = typeof index === 'number' && !(known && this.#placeless.has(known));
    if (!hasPlace && known === undefined && this.#newest) return this.#newest;
    if (!hasPlace && known) this.#placeless.add(known);
    const key = hasPlace ? String(index) : (known ?? '');
    let found = this.#items.get(key);
    if (!found) {
      found = { key, isOver: false, brought: new Set(), input: '' };
      this.#items.set(key, found);
    }
    if (known) found.id ??= known;
    this.#newest = found;
    return found;
  }

  #reason(): string | undefined {
    const { reason } = asObject(this.#response?.incomplete_details);
    if (isText(reason)) return reason;
    return this.#response?.status === 'failed' ? 'failed' : undefined;
  }

  #unified(reason: string | undefined): LanguageModelV4FinishReason['unified'] {
    if (reason === 'max_output_tokens') return 'length';
    if (reason === 'content_filter') return 'content-filter';
    if (reason === 'failed') return 'error';
    if (this.#called) return 'tool-calls';
    if (reason !== undefined) return 'other';
    return this.#refused ? 'content-filter' : 'stop';
  }
}

const idOf = ({ id }: Item): { itemId?: string } => (id === undefined ? {} : { itemId: id });

const placeOf = ({ content_index, summary_index }: AnswerEvent): string =>
  String(summary_index ?? content_index ?? 0);

/** Events about the progress of an answer, and about parts of it that other events bring. */
const isSilent = (type: string): boolean =>
  /^response\.(created|queued|in_progress|content_part\.|reasoning_summary_part\.|output_text\.annotation\.|\w+_call\.)/.test(
    type,
  ) || type === 'keepalive';

const image = (data: string, format: unknown): LanguageModelV4StreamPart => ({
  type: 'file',
  mediaType: `image/${isText(format) ? format : 'png'}`,
  data: { type: 'data', data },
});

function parseUsage(usage: AnswerEvent): LanguageModelV4Usage {
  const cached = toTokenCount(asObject(usage.input_tokens_details).cached_tokens);
  return {
    inputTokens: {
      total: toTokenCount(usage.input_tokens),
      noCache: undefined,
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: toTokenCount(usage.output_tokens),
      text: undefined,
      reasoning: toTokenCount(asObject(usage.output_tokens_details).reasoning_tokens),
    },
  };
}
