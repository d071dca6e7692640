/** Reads the answers of Google's Gemini API: each event is a response with the next parts. */
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

type Kind = 'text' | 'reasoning';

/** Fields of a part that say something about another field. */
const ABOUT = ['thought', 'thoughtSignature', 'videoMetadata', 'partMetadata', 'mediaResolution'];

export class GeminiReader implements AnswerReader {
  readonly #bounds: CallBounds;
  #open: { kind: Kind; id: string } | undefined;
  #blocks = 0;
  #called = false;
  #usage: AnswerEvent = {};
  #reason: string | undefined;
  #blocked: string | undefined;

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#bounds = new CallBounds(provider);
  }

  read(event: AnswerEvent, parts: AnswerPart[]): void {
    if (event.usageMetadata != null) this.#usage = asObject(event.usageMetadata);
    const { blockReason } = asObject(event.promptFeedback);
    if (isText(blockReason) && !/_UNSPECIFIED$/.test(blockReason)) this.#blocked ??= blockReason;
    const [candidate] = asObjects(event.candidates);
    // A blocked prompt has no answer, but later events may count its tokens.
    if (candidate === undefined || this.#blocked !== undefined) return;
    for (const part of asObjects(asObject(candidate.content).parts)) this.#readPart(part, parts);
    if (isText(candidate.finishReason)) this.#reason = candidate.finishReason;
  }

  end(parts: AnswerPart[], isMarked: boolean): void {
    this.#close(parts);
    const raw = this.#blocked ?? this.#reason ?? (isMarked ? 'STOP' : undefined);
    let unified = this.#blocked === undefined ? (REASONS.get(raw ?? '') ?? 'other') : 'content-filter';
    if (unified === 'stop' && this.#called) unified = 'tool-calls';
    parts.push({ type: 'finish', finishReason: { unified, raw }, usage: parseUsage(this.#usage) });
  }

  #readPart(part: AnswerEvent, parts: AnswerPart[]): void {
    const signature = isText(part.thoughtSignature)
      ? { google: { thoughtSignature: part.thoughtSignature } }
      : undefined;
    const kind = part.thought === true ? 'reasoning' : 'text';
    if (typeof part.text === 'string') {
      if (part.text !== '') this.#write(kind, part.text, signature, parts);
      else if (signature) this.#signAlone(kind, signature, parts);
    } else if (part.functionCall != null) {
      this.#close(parts);
      this.#call(asObject(part.functionCall), signature, parts);
    } else if (part.inlineData != null) {
      const { mimeType, data } = asObject(part.inlineData);
      this.#close(parts);
      // An image of the thinking is a draft.
      if (kind === 'text' && isText(data))
        parts.push({ type: 'file', mediaType: String(mimeType), data: { type: 'data', data } });
    } else {
      const fields = Object.keys(part).filter(field => !ABOUT.includes(field));
      if (fields.length > 0) parts.push(unread(`part ${fields.join(' ')}`, true));
      else if (signature) this.#signAlone(kind, signature, parts);
    }
  }

  #write(kind: Kind, text: string, signature: Signature | undefined, parts: AnswerPart[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(parts);
      this.#open = { kind, id: String(this.#blocks++) };
      begin(parts, kind, this.#open.id);
    }
    grow(parts, kind, this.#open.id, text);
    if (signature) sign(parts, kind, this.#open.id, signature);
  }

  /** A signature without text belongs to the open text. Without one, it keeps its position in a block of its own. */
  #signAlone(kind: Kind, signature: Signature, parts: AnswerPart[]): void {
    if (this.#open?.kind === 'text') {
      sign(parts, 'text', this.#open.id, signature);
      return;
    }
    this.#close(parts);
    const id = String(this.#blocks++);
    begin(parts, kind, id, signature);
    end(parts, kind, id);
  }

  #call(
    { id, name, args, ...rest }: AnswerEvent,
    signature: Signature | undefined,
    parts: AnswerPart[],
  ): void {
    // The kernel requests whole calls.
    if (rest.partialArgs != null) return void parts.push(unread('part functionCall partialArgs', true));
    const input = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    this.#bounds.add(this.#blocks++, input);
    this.#called = true;
    parts.push({
      type: 'tool-call',
      toolCallId: isText(id) ? id : '',
      toolName: isText(name) ? name : '',
      input,
      ...(signature && { providerMetadata: signature }),
    });
  }

  #close(parts: AnswerPart[]): void {
    if (this.#open) end(parts, this.#open.kind, this.#open.id);
    this.#open = undefined;
  }
}

type Signature = { google: { thoughtSignature: string } };

const REASONS: ReadonlyMap<string, LanguageModelV4FinishReason['unified']> = new Map(
  Object.entries({
    STOP: 'stop',
    MAX_TOKENS: 'length',
    CONTINUATION: 'length',
    IMAGE_SAFETY: 'content-filter',
    RECITATION: 'content-filter',
    SAFETY: 'content-filter',
    BLOCKLIST: 'content-filter',
    PROHIBITED_CONTENT: 'content-filter',
    SPII: 'content-filter',
    MALFORMED_FUNCTION_CALL: 'error',
  } as const),
);

/** Google counts thoughts separately from the answer. */
function parseUsage(usage: AnswerEvent): LanguageModelV4Usage {
  const reasoning = toTokenCount(usage.thoughtsTokenCount);
  return {
    inputTokens: {
      total: toTokenCount(usage.promptTokenCount) + toTokenCount(usage.toolUsePromptTokenCount),
      noCache: undefined,
      cacheRead: toTokenCount(usage.cachedContentTokenCount),
      cacheWrite: undefined,
    },
    outputTokens: { total: toTokenCount(usage.candidatesTokenCount) + reasoning, text: undefined, reasoning },
  };
}
