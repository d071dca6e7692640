/** One connection that streams events: its messages, until it ends, breaks or falls silent. */
import { BrokenLine } from './errors.ts';
import { type SseMessage, SseParser } from './sse.ts';

/** The kernel sends a heartbeat every 15 s: who says nothing for three of them is gone. */
const SILENCE_MS = 45_000;

export class Line {
  readonly headers: Headers;
  readonly #parser = new SseParser();
  readonly #messages: AsyncGenerator<SseMessage, void>;
  #ahead: SseMessage | undefined;

  constructor(response: Response) {
    this.headers = response.headers;
    this.#messages = messagesOf(response, this.#parser);
  }

  /** As the server last said; milliseconds. */
  get retry(): number | undefined {
    return this.#parser.retry;
  }

  /** Undefined where the line ended in order. @throws BrokenLine */
  async next(): Promise<SseMessage | undefined> {
    const ahead = this.#ahead;
    if (ahead === undefined) return (await this.#messages.next()).value ?? undefined;
    this.#ahead = undefined;
    return ahead;
  }

  /** What `next` will answer. */
  async peek(): Promise<SseMessage | undefined> {
    this.#ahead ??= await this.next();
    return this.#ahead;
  }

  /** Leaves, down to the socket. */
  async hangUp(): Promise<void> {
    await this.#messages.return();
  }
}

async function* messagesOf({ body }: Response, parser: SseParser): AsyncGenerator<SseMessage, void> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await unlessSilent(reader.read());
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // What a broken line has to say about its own end is of no use to anybody.
    reader.cancel().catch(() => {});
  }
}

function unlessSilent<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new BrokenLine('The kernel fell silent.')), SILENCE_MS);
    reading
      .then(resolve, error => reject(new BrokenLine('The stream broke.', error)))
      .finally(() => clearTimeout(timer));
  });
}
