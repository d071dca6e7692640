/**
 * A text of the model as pieces that settle one after the other: a long message is many rows of the list, and only the
 * last of them is drawn again while it grows.
 */
import { type MarkdownBlock, MarkdownStream, type Tokens } from '@chat-kernel/markdown';

export interface Piece {
  /** Blocks that do not change any more, and those that may. */
  readonly settled: readonly MarkdownBlock[];
  readonly open: readonly MarkdownBlock[];
}

/** Characters of source after which a piece is closed. */
const PIECE_CHARS = 600;

export class Pieces {
  #stream = new MarkdownStream();
  #text = '';
  #isOver = false;
  #closed: Piece[] = [];
  /** Blocks of the stream that are in closed pieces. */
  #taken = 0;
  #all: readonly Piece[] = [];

  /** Returns the pieces of the text as it is now; a text that goes on costs what is new. */
  of(text: string, isOver: boolean): readonly Piece[] {
    if (text === this.#text && isOver === this.#isOver) return this.#all;
    if (this.#isOver || !text.startsWith(this.#text)) this.#forget();
    this.#stream.push(text.slice(this.#text.length));
    if (isOver) this.#stream.finish();
    this.#text = text;
    this.#isOver = isOver;
    this.#close();
    const last = {
      settled: this.#stream.blocks.slice(this.#taken),
      open: isOver ? NONE : this.#stream.rest(),
    };
    const isEmpty = last.settled.length + last.open.length === 0;
    this.#all = isEmpty && this.#closed.length > 0 ? [...this.#closed] : [...this.#closed, last];
    return this.#all;
  }

  /** Returns the text of the whole code that a block is a piece of. */
  readonly wholeCode = (block: MarkdownBlock): string => {
    const blocks = [...this.#stream.blocks, ...this.#stream.rest()];
    const first = blocks.indexOf(block);
    if (first < 0) return (block.token as Tokens.Code).text;
    let end = first + 1;
    while (blocks[end]?.glued && blocks[end]?.token.type === 'code') end++;
    return blocks
      .slice(first, end)
      .map(({ token }) => (token as Tokens.Code).text)
      .join('\n');
  };

  #close(): void {
    const { blocks } = this.#stream;
    let length = 0;
    for (let index = this.#taken; index < blocks.length; index++) {
      length += blocks[index]!.token.raw.length;
      if (length < PIECE_CHARS) continue;
      this.#closed.push({ settled: blocks.slice(this.#taken, index + 1), open: NONE });
      this.#taken = index + 1;
      length = 0;
    }
  }

  #forget(): void {
    this.#stream = new MarkdownStream();
    this.#text = '';
    this.#closed = [];
    this.#taken = 0;
  }
}

const NONE: readonly MarkdownBlock[] = [];
