/**
 * Limits the size of each message of an HTTP server. Streams of messages may be endless, so a limit on the body is not
 * possible.
 */

const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];

/**
 * Returns a `fetch` whose bodies fail once a message is larger than `most` bytes. A message is a whole body, or in an
 * event stream the text between two blank lines. `onTooLarge` is called first.
 */
export function boundedFetch(most: number, onTooLarge: (error: RangeError) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const events = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const sizes = new MessageSizes(events);
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (sizes.after(chunk) <= most) {
          controller.enqueue(chunk);
          return;
        }
        const error = new RangeError(`a message of more than ${most} bytes`);
        controller.error(error);
        onTooLarge(error);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}

class MessageSizes {
  readonly #events: boolean;
  /** Bytes of the current message. */
  #size = 0;
  /** A blank line may begin in one chunk and end in the next. */
  #tail = '';

  constructor(events: boolean) {
    this.#events = events;
  }

  after(chunk: Uint8Array): number {
    this.#size += chunk.length;
    if (!this.#events) return this.#size;
    const text = this.#tail + Buffer.from(chunk).toString('latin1');
    this.#tail = text.slice(-3);
    const ends = BLANK_LINES.map(blank => [text.lastIndexOf(blank), blank.length] as const)
      .filter(([start]) => start !== -1)
      .map(([start, length]) => start + length);
    // A message that ends in this chunk is not measured: it is smaller than the chunk, or was measured before.
    if (ends.length > 0) this.#size = text.length - Math.max(...ends);
    return this.#size;
  }
}
