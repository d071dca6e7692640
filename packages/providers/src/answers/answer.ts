/**
 * Receives the answer of a provider, and passes its events to the reader of its API. Each event is parsed once. A reader
 * reports parts that it does not understand, and continues: makers add events, and proxies change them (WIRE-10).
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { AnswerSink } from '../trip/post.ts';

/** Something in an answer that its reader does not understand. */
export interface UnreadPart {
  type: 'unread';
  /** Its name on the API, such as `content_block_delta poem_delta`. */
  shape: string;
  /** True if it carries content, which is lost. */
  content: boolean;
}

export type AnswerPart = LanguageModelV4StreamPart | UnreadPart;

/** The parts of a response, as they arrive. */
export interface PartSource {
  /**
   * Returns the parts that arrived since the last read, at least one; null at the end. Rejects with the error that
   * ended the response.
   */
  read(): Promise<AnswerPart[] | null>;
}

/** Reads the events of one answer of an API. The parts of a finished answer end with `finish`. */
export interface AnswerReader {
  /**
   * Adds the parts of an event, or of a whole answer that comes in place of a stream.
   * @param name the name of the event on its line `event:`
   * @throws ModelError if the answer exceeds a limit
   */
  read(event: AnswerEvent, parts: AnswerPart[], name: string | undefined): void;
  /**
   * Ends the answer if it has no end yet.
   * @param isMarked the end mark [DONE] came
   */
  end(parts: AnswerPart[], isMarked: boolean): void;
}

/** The JSON of an event. Any field may be missing, or have another type than its API says. */
export type AnswerEvent = Record<string, unknown>;

export const unread = (shape: string, content: boolean): UnreadPart => ({
  type: 'unread',
  // A server may send anything as a name.
  shape: shape.slice(0, 100),
  content,
});

/**
 * True for non-empty text. A server may send any type, and other values would be counted and joined as if they were
 * text.
 */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The value if it is an object; otherwise an empty one. */
export const asObject = (value: unknown): AnswerEvent =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AnswerEvent) : {};

/** The objects of a list; empty if it is not a list. */
export const asObjects = (value: unknown): AnswerEvent[] => (Array.isArray(value) ? value.map(asObject) : []);

/** Accepts text from the socket, and returns the parts that it contains. */
export class StreamedAnswer implements AnswerSink, PartSource {
  readonly #reader: AnswerReader;
  readonly #parser = createParser({ onEvent: ({ event, data }) => this.#readEvent(data, event) });
  /** False: the server sends a whole answer as JSON in place of a stream. */
  #isStream: boolean | undefined;
  #whole = '';
  #parts: AnswerPart[] = [];
  /** The answer is complete or has failed; what follows is ignored. */
  #isOver = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(reader: AnswerReader) {
    this.#reader = reader;
  }

  text(text: string): void {
    this.#isStream ??= text.trim() === '' ? undefined : !/^\s*[[{]/.test(text);
    if (this.#isStream === false) this.#whole += text;
    else this.#parser.feed(text);
    if (this.#parts.length > 0) this.#wake?.();
  }

  end(): void {
    if (this.#isStream === false) this.#readEvent(this.#whole, undefined);
    // An empty line makes the parser emit the last event.
    else this.#parser.feed('\n\n');
    if (!this.#isOver) this.#reader.end(this.#parts, false);
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  async read(): Promise<AnswerPart[] | null> {
    for (;;) {
      if (this.#parts.length > 0) {
        const parts = this.#parts;
        this.#parts = [];
        return parts;
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#ended) return null;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  #readEvent(data: string, name: string | undefined): void {
    if (this.#isOver || data === '') return;
    if (data.startsWith('[DONE]')) {
      this.#reader.end(this.#parts, true);
      this.#isOver = true;
      return;
    }
    const json = parseJson(data);
    // Google sends a list of events in place of a stream.
    if (Array.isArray(json)) for (const event of json) this.#readJson(asObject(event), name);
    else if (json) this.#readJson(json as AnswerEvent, name);
    else this.#readJson({ error: `The response is not JSON: ${data.slice(0, 200)}` }, name);
  }

  #readJson(event: AnswerEvent, name: string | undefined): void {
    if (this.#isOver) return;
    const parts = this.#parts;
    if (name === 'error' || isFailure(event)) parts.push({ type: 'error', error: event });
    else this.#reader.read(event, parts, name);
    const last = parts[parts.length - 1]?.type;
    this.#isOver = last === 'finish' || last === 'error';
  }
}

/** Whether an event reports a failure (WIRE-9). Servers name it in several ways; an answer has content or usage. */
function isFailure(event: AnswerEvent): boolean {
  const { error, object, type } = event;
  if (error || object === 'error' || type === 'error') return true;
  if (event.message === undefined && event.detail === undefined) return false;
  if (typeof type === 'string' && !/error|invalid|fail|overload/i.test(type)) return false;
  const isAnswer = event.choices ?? event.usage ?? event.candidates ?? event.usageMetadata;
  return !isAnswer && (isText(event.message) || event.detail != null);
}

/** Returns an object or a list; undefined for any other text. */
function parseJson(data: string): object | undefined {
  try {
    const json: unknown = JSON.parse(data);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    // The caller reports text that is not JSON, with its beginning.
    return undefined;
  }
}
