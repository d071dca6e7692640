/** Server-sent events out of text, however it is cut: the reading side of EV-1. */

export interface SseMessage {
  /** The newest id, of this message or one before it. */
  id: string | undefined;
  /** The data lines, \n between them. */
  data: string;
}

/** Takes text as it comes and gives the messages that are whole. A message that never ends is never given. */
export class SseParser {
  /** Milliseconds to wait before a new connection, as the server last said. */
  retry: number | undefined;
  /** The id to go on behind after a break: of the last whole record, which need not have had data. */
  lastId: string | undefined;
  #unread = '';
  /** The index up to which `#unread` holds no line end. */
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
    // Comments (heartbeats) and unknown fields say nothing.
  }
}

const LINE_END = /\r\n|\n|\r/g;
