/** Parses the frames of a stream as strictly as the kernel must write them: it rejects what other readers tolerate. */

interface StreamFrame {
  id: string;
  /** The JSON of an event. */
  data: string;
}

/** Accepts text in pieces and yields the complete frames. */
export class StreamFrames {
  /** The texts of comment lines: heartbeats. */
  readonly comments: string[] = [];
  /** Milliseconds of the line `retry:`, once it has arrived. */
  retry: number | undefined;
  #unread = '';
  #data: string | undefined;
  #id: string | undefined;

  /** Text of the incomplete frame; comments and `retry:` do not make a frame. */
  get unread(): string {
    return [this.#data, this.#id, this.#unread].filter(text => text !== undefined && text !== '').join('\n');
  }

  /** @throws Error if a frame is not a line of data and a line of an id, or is empty */
  *push(text: string): Generator<StreamFrame, void> {
    this.#unread += text;
    for (let end = this.#unread.indexOf('\n'); end !== -1; end = this.#unread.indexOf('\n')) {
      const line = this.#unread.slice(0, end);
      this.#unread = this.#unread.slice(end + 1);
      const frame = this.#take(line);
      if (frame) yield frame;
    }
  }

  #take(line: string): StreamFrame | undefined {
    const data = this.#data;
    const id = this.#id;
    if (data === undefined) return this.#takeHead(line);
    if (id === undefined) {
      if (!line.startsWith('id: ')) throw refused('a line of data is followed by its id', line);
      this.#id = line.slice('id: '.length);
      return undefined;
    }
    if (line !== '') throw refused('an event is one line of data and one of its id', line);
    this.#data = undefined;
    this.#id = undefined;
    return { id, data };
  }

  /** Parses the lines that may precede the data of an event. */
  #takeHead(line: string): undefined {
    const retry = /^retry: (\d+)$/.exec(line);
    if (line.startsWith('data: {')) this.#data = line.slice('data: '.length);
    else if (line.startsWith(': ')) this.comments.push(line);
    else if (retry && this.retry === undefined) this.retry = Number(retry[1]);
    else if (line === '') throw refused('no frame is empty', line);
    else throw refused('an event begins with its data', line);
    return undefined;
  }
}

const refused = (rule: string, line: string): Error => new Error(`${rule}, got ${JSON.stringify(line)}`);
