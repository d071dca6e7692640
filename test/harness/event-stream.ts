/** A stream of events as a client sees it: read strictly, kept, and awaited by tests. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Event } from '@chat-kernel/protocol';
import type { ApiDocument } from './document.ts';
import { refuseSecrets, secretWatch } from './secrets.ts';

/** Longer than this no test waits for an event. */
const PATIENCE_MS = 10_000;

/** Of a turn, or with another schema of anything else. */
export class EventStream<Told extends { type: string } = Event> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As they came; `ids` holds the `id:` of each. */
  readonly events: Told[] = [];
  readonly ids: string[] = [];
  /** Where a client would go on: the id of the newest event, or one that came without an event. */
  lastId: string | undefined;
  /** The texts of comment lines: heartbeats. */
  readonly comments: string[] = [];
  /** All that came, as it came. */
  raw = '';
  readonly #answer: IncomingMessage;
  readonly #document: ApiDocument;
  readonly #schema: string;
  readonly #closed = Promise.withResolvers<void>();
  readonly #refuseSecrets = secretWatch('a stream');
  #waiting: (() => void)[] = [];
  #unread = '';
  #over = false;
  #failure: Error | undefined;

  constructor(answer: IncomingMessage, document: ApiDocument, schema = 'Event') {
    this.status = answer.statusCode ?? 0;
    this.headers = answer.headers;
    this.#answer = answer;
    this.#document = document;
    this.#schema = schema;
    refuseSecrets(answer.rawHeaders.join('\n'), 'a stream');
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.#take(text));
    answer.on('error', error => this.#end(error));
    answer.on('close', () => this.#end());
    // Whoever does not ask how it closed does not want to know.
    this.#closed.promise.catch(() => {});
  }

  get turnId(): string {
    return this.headers['x-turn-id'] as string;
  }

  get messageId(): string {
    return this.headers['x-message-id'] as string;
  }

  /** The first event of this type, or that fits; one that came already counts. */
  until<Type extends Told['type']>(wanted: Type): Promise<Extract<Told, { type: Type }>>;
  until(wanted: (event: Told) => boolean): Promise<Told>;
  async until(wanted: string | ((event: Told) => boolean)): Promise<Told> {
    const fits = typeof wanted === 'function' ? wanted : (event: Told) => event.type === wanted;
    const deadline = Date.now() + PATIENCE_MS;
    for (let seen = 0; ; ) {
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen] as Told;
        if (fits(event)) return event;
      }
      if (this.#failure) throw this.#failure;
      if (this.#over) throw new Error(`the stream ended without ${wanted}: ${this.#seen()}`);
      await this.#more(deadline, `${wanted}`);
    }
  }

  /** All events of one turn, to the end of the stream; there must be exactly one `done`, and it the last. */
  async all(): Promise<Told[]> {
    await this.closed();
    const rest = this.events.slice(this.events.findIndex(event => event.type === 'done'));
    if (rest[0]?.type !== 'done' || rest.slice(1).some(event => event.type !== 'request_resolved')) {
      throw new Error(`the stream did not end with its one done: ${this.#seen()}`);
    }
    return this.events;
  }

  /** The stream is over, however. Rejects where it broke off or was not as it must be. */
  async closed(): Promise<void> {
    await this.#closed.promise;
  }

  /** Leaves, down to the socket. */
  hangUp(): void {
    this.#answer.destroy();
  }

  /** Reads no further, so that the other side has to wait. */
  pause(): void {
    this.#answer.pause();
  }

  resume(): void {
    this.#answer.resume();
  }

  #take(text: string): void {
    this.raw += text;
    this.#unread += text;
    try {
      this.#refuseSecrets(text);
      for (let end = this.#unread.indexOf('\n\n'); end !== -1; end = this.#unread.indexOf('\n\n')) {
        this.#record(this.#unread.slice(0, end));
        this.#unread = this.#unread.slice(end + 2);
      }
    } catch (error) {
      this.#end(error as Error);
      this.#answer.destroy();
    }
    this.#wake();
  }

  #record(record: string): void {
    const lines = record.split('\n');
    if (lines.every(line => /^(: ?|retry: \d+$)/.test(line))) {
      this.comments.push(...lines.filter(line => line.startsWith(':')));
      return;
    }
    const [id, data, ...rest] = lines;
    if (id?.startsWith('id: ')) {
      this.lastId = id.slice('id: '.length);
      if (data === undefined) return;
    }
    if (!id?.startsWith('id: ') || !data?.startsWith('data: {') || rest.length > 0) {
      throw new Error(`an event must be one id line and one data line, got ${JSON.stringify(record)}`);
    }
    const event = JSON.parse(data.slice('data: '.length)) as Told;
    this.#document.checkEvent(event, this.#schema);
    this.events.push(event);
    this.ids.push(id.slice('id: '.length));
  }

  #end(failure?: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    if (!failure && this.#unread !== '' && this.#answer.complete) {
      this.#failure = new Error(`the stream ended inside an event: ${this.#unread}`);
    }
    if (this.#failure) this.#closed.reject(this.#failure);
    else this.#closed.resolve();
    this.#wake();
  }

  #more(deadline: number, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${what} came: ${this.#seen()}`)),
        deadline - Date.now(),
      );
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wake(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }

  #seen(): string {
    return this.events.map(event => event.type).join(' ');
  }
}
