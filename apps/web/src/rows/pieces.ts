/**
 * Splits a response into pieces. A long message becomes many rows, and only the last row renders again while the
 * message grows.
 */
import { type Footnote, type MarkdownBlock, MarkdownStream, type Tokens } from '@chat-kernel/text/markdown';

export interface Piece {
  /** Blocks that are final, and blocks that may still change. */
  readonly settled: readonly MarkdownBlock[];
  readonly open: readonly MarkdownBlock[];
}

/** The facts about the whole text that its pieces need. It stays the same object until one of them changes. */
export interface Surroundings {
  /** The texts of all finished footnotes, by label. */
  readonly footnotes: ReadonlyMap<string, Footnote>;
  /** The first piece of the code block that still grows. */
  readonly growing: MarkdownBlock | null;
}

/** Source characters per piece. */
const PIECE_CHARS = 600;
const NONE: readonly MarkdownBlock[] = [];
const NO_SURROUNDINGS: Surroundings = { footnotes: new Map(), growing: null };

export class Pieces {
  #stream = new MarkdownStream();
  #text = '';
  #isOver = false;
  #closed: Piece[] = [];
  /** Number of blocks in closed pieces. */
  #taken = 0;
  #all: readonly Piece[] = [];
  #surroundings: Surroundings = NO_SURROUNDINGS;
  /** Number of blocks that were searched for footnotes. */
  #searched = 0;

  get surroundings(): Surroundings {
    return this.#surroundings;
  }

  /** Returns the pieces of a text. For a longer version of the same text, only the new part is parsed. */
  of(text: string, isOver: boolean): readonly Piece[] {
    if (text === this.#text && isOver === this.#isOver) return this.#all;
    if (this.#isOver || !text.startsWith(this.#text)) this.#forget();
    this.#stream.push(text.slice(this.#text.length));
    if (isOver) this.#stream.finish();
    this.#text = text;
    this.#isOver = isOver;
    this.#close();
    this.#lookAround();
    const last = {
      settled: this.#stream.blocks.slice(this.#taken),
      open: isOver ? NONE : this.#stream.rest(),
    };
    const isEmpty = last.settled.length + last.open.length === 0;
    this.#all = isEmpty && this.#closed.length > 0 ? [...this.#closed] : [...this.#closed, last];
    return this.#all;
  }

  /** Returns the full code that a block is a part of. */
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

  #lookAround(): void {
    const { blocks, continuesCode } = this.#stream;
    let { footnotes } = this.#surroundings;
    for (const { token } of blocks.slice(this.#searched)) {
      // The first text of a label counts, as on other pages.
      if (token.type !== 'footnote' || footnotes.has(token.label)) continue;
      footnotes = new Map(footnotes).set(token.label, token as Footnote);
    }
    this.#searched = blocks.length;
    let first = continuesCode ? blocks.length - 1 : -1;
    while (blocks[first]?.glued) first--;
    const growing = blocks[first] ?? null;
    const before = this.#surroundings;
    if (footnotes !== before.footnotes || growing !== before.growing)
      this.#surroundings = { footnotes, growing };
  }

  #forget(): void {
    this.#surroundings = NO_SURROUNDINGS;
    this.#searched = 0;
    this.#stream = new MarkdownStream();
    this.#text = '';
    this.#closed = [];
    this.#taken = 0;
  }
}
