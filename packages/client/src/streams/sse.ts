/** Parses server-sent events from text chunks of any size: the reading side of EV-1. */

export interface SseMessage {
  /** The newest id, of this message or one before it. */
  id: string | undefined;
  /** The data lines, joined by \n. */
  data: string;
}

/** Accepts text chunks and returns complete messages. An unfinished message is never returned. */
export class SseParser {
  /** Milliseconds before a new connection, as last sent by the server. */
  retry: number | undefined;
  /** The id to resume after: that of the last complete record, even without data. */
  lastId: string | undefined;
  #unread = '';
  /** The index up to which `#unread` contains no line end. */
  #searched = 0;
  #id: string | undefined;
  #data: string[] = [];

  *push(text: string): Generator<SseMessage, void> {
    this.#unread += text;
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      if (line !== '') {
        this.#take(line);
        continue;
      }
      this.lastId = this.#id;
      if (this.#data.length === 0) continue;
      yield { id: this.#id, data: this.#data.join('\n') };
      this.#data = [];
    }
  }

  /** Lines end with \n, \r\n or \r. */
  #nextLine(): string | undefined {
    LINE_END.lastIndex = this.#searched;
    const end = LINE_END.exec(this.#unread);
    // A \r at the very end may be half of a \r\n.
    if (end === null || (end[0] === '\r' && LINE_END.lastIndex === this.#unread.length)) {
      this.#searched = end?.index ?? this.#unread.length;
      return undefined;
    }
    const line = this.#unread.slice(0, end.index);
    this.#unread = this.#unread.slice(LINE_END.lastIndex);
    this.#searched = 0;
    return line;
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    // Comments (heartbeats) and unknown fields are ignored.
  }
}

const LINE_END = /\r\n|\n|\r/g;
