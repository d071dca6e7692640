/** Reads a stream of events from the connection, strictly and including everything between the events. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Event } from '@chat-kernel/protocol';
import type { ApiDocument } from './document.ts';
import type { DocumentReader } from './document-client/stream.ts';
import { KeptEvents } from './kept-events.ts';
import { refuseSecrets, secretWatch } from './secrets.ts';
import { StreamFrames } from './stream-frames.ts';

/** The event stream of a turn, or of anything else with another schema. */
export class EventStream<Told extends { type: string } = Event> extends KeptEvents<Told> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The `id:` of each event. */
  readonly ids: string[] = [];
  /** The whole stream as received. */
  raw = '';
  readonly #answer: IncomingMessage;
  readonly #document: ApiDocument;
  readonly #schema: string;
  readonly #reader: DocumentReader | undefined;
  readonly #refuseSecrets = secretWatch('a stream');
  readonly #frames = new StreamFrames();

  /**
   * @param reader checks the events as a client of the API document does; undefined for streams outside of that
   * document
   */
  constructor(answer: IncomingMessage, document: ApiDocument, schema = 'Event', reader?: DocumentReader) {
    super();
    this.status = answer.statusCode ?? 0;
    this.headers = answer.headers;
    this.#answer = answer;
    this.#document = document;
    this.#schema = schema;
    this.#reader = reader;
    refuseSecrets(answer.rawHeaders.join('\n'), 'a stream');
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.#take(text));
    answer.on('error', error => this.end(error));
    answer.on('close', () => {
      const { unread } = this.#frames;
      const inside = unread !== '' && answer.complete;
      this.end(inside ? new Error(`the stream ended inside an event: ${unread}`) : this.#endRead());
    });
  }

  get turnId(): string {
    return this.headers['x-turn-id'] as string;
  }

  /** The position from which a client would resume: the id of the newest event. */
  get lastId(): string | undefined {
    return this.ids.at(-1);
  }

  /** The texts of comment lines: heartbeats. */
  get comments(): readonly string[] {
    return this.#frames.comments;
  }

  get messageId(): string {
    return this.headers['x-message-id'] as string;
  }

  override hangUp(): void {
    this.#answer.destroy();
  }

  /** Stops reading, so that the other side has to wait. */
  pause(): void {
    this.#answer.pause();
  }

  resume(): void {
    this.#answer.resume();
  }

  /** Checks a stream that the kernel closed; a broken one proves nothing. */
  #endRead(): Error | undefined {
    if (!this.#answer.complete) return undefined;
    try {
      this.#reader?.end();
    } catch (error) {
      return error as Error;
    }
    return undefined;
  }

  #take(text: string): void {
    this.raw += text;
    try {
      this.#refuseSecrets(text);
      for (const { id, data } of this.#frames.push(text)) {
        const event = JSON.parse(data) as Told;
        this.#document.checkEvent(event, this.#schema);
        this.#reader?.see(event);
        this.ids.push(id);
        this.keep(event);
      }
    } catch (error) {
      this.end(error as Error);
      this.#answer.destroy();
    }
  }
}
