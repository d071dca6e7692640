/**
 * Markdown that grows by deltas. Text is cut into blocks line by line, and a block that is finished is never looked
 * at again; what is still open stays below a limit. So a delta costs the same at the end of a long answer as at its
 * beginning, and how a text was split into deltas changes nothing of what it becomes.
 */
import { Lexer, type Links, type Token, type Tokens } from 'marked';

export interface Block {
  readonly token: Token;
  /** The number of the first item where the block continues an ordered list. */
  readonly ordinal?: number;
  /** It continues the block before it (a list, a fence, a table): no empty line between them. */
  readonly glued: boolean;
}

/** Lines of an open fence, and rows of an open table, after which the part that is there is finished. */
const PIECE_LINES = 40;
/** Characters of one line of the source; what is longer is taken in several. */
const LINE_CHARS = 4000;
/** Characters of a paragraph, a quote or a list item that is still open. */
const BLOCK_CHARS = 8000;

export class MarkdownStream {
  /** Finished blocks; only ever appended to. */
  readonly blocks: Block[] = [];
  /** Characters that were given to the parser so far: what tests measure the cost by. */
  parsed = 0;
  #open = '';
  #line = '';
  #links: Links = {};
  #continues: { type: string; ordered: boolean; next: number } | null = null;

  /** @param delta what comes next of the text */
  push(delta: string): void {
    let from = 0;
    while (from < delta.length) {
      const end = delta.indexOf('\n', from);
      const room = LINE_CHARS - this.#line.length;
      const to = Math.min(end < 0 ? delta.length : end + 1, from + room);
      this.#line += delta.slice(from, to);
      from = to;
      if (this.#line.endsWith('\n') || this.#line.length >= LINE_CHARS) this.#takeLine();
    }
  }

  /** What is not finished, as it looks if nothing follows. */
  rest(): Block[] {
    const source = this.#open + this.#line;
    if (source === '') return [];
    const mark = this.#continues;
    const blocks = this.#asBlocks(this.#lex(source));
    this.#continues = mark;
    return blocks;
  }

  /** The text has ended: all of it is finished. */
  finish(): void {
    this.blocks.push(...this.rest());
    this.#open = '';
    this.#line = '';
  }

  #takeLine(): void {
    this.#open += this.#line;
    this.#line = '';
    const tokens = this.#lex(this.#open);
    const solid = tokens.filter(token => token.type !== 'space');
    const last = solid.at(-1);
    if (last === undefined) {
      this.#open = '';
      return;
    }
    this.blocks.push(...this.#asBlocks(solid.slice(0, -1)));
    this.#open = tokens.slice(tokens.indexOf(last)).reduce((text, token) => text + token.raw, '');
    this.#takePart(last);
  }

  /** Of the block that is open, the part that no later line changes; of any block that is too long, all of it. */
  #takePart(token: Token): void {
    const tooLong = this.#open.length >= BLOCK_CHARS;
    if (token.type === 'list') this.#takeItems(token as Tokens.List);
    else if (token.type === 'code' && this.#takeCode(token as Tokens.Code, tooLong)) return;
    else if (token.type === 'table' && this.#takeRows(token as Tokens.Table, tooLong)) return;
    if (this.#open.length < BLOCK_CHARS) return;
    this.blocks.push(...this.#asBlocks(this.#lex(this.#open)));
    this.#open = '';
    this.#continues = { type: token.type, ordered: false, next: 0 };
  }

  #takeItems(list: Tokens.List): void {
    if (list.items.length < 2) return;
    const trailing = this.#open.slice(this.#open.trimEnd().length);
    this.blocks.push(...this.#asBlocks([{ ...list, items: list.items.slice(0, -1) }]));
    this.#open = list.items.at(-1)!.raw.trimEnd() + trailing;
  }

  #takeCode(code: Tokens.Code, tooLong: boolean): boolean {
    const lines = this.#open.replace(/\n$/, '').split('\n');
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0]!)?.[1];
    if (fence === undefined || isClosed(lines, fence)) return false;
    if (lines.length > PIECE_LINES || (tooLong && lines.length > 1)) {
      this.blocks.push(...this.#asBlocks([{ ...code, text: lines.slice(1).join('\n') }]));
      this.#open = `${lines[0]}\n`;
      this.#continues = { type: 'code', ordered: false, next: 0 };
    }
    return true;
  }

  #takeRows(table: Tokens.Table, tooLong: boolean): boolean {
    if (table.rows.length >= PIECE_LINES || (tooLong && table.rows.length > 0)) {
      this.blocks.push(...this.#asBlocks([table]));
      this.#open = `${this.#open.split('\n').slice(0, 2).join('\n')}\n`;
      this.#continues = { type: 'table', ordered: false, next: 0 };
    }
    return true;
  }

  #asBlocks(tokens: readonly Token[]): Block[] {
    const blocks: Block[] = [];
    for (const token of tokens) {
      if (token.type === 'space' || token.type === 'def') continue;
      const list = token.type === 'list' ? (token as Tokens.List) : null;
      const before = this.#continues;
      const glued = before?.type === token.type && before.ordered === (list?.ordered ?? false);
      // What repeats only its opening has nothing of its own to show.
      const empty =
        glued &&
        ((token.type === 'code' && (token as Tokens.Code).text === '') ||
          (token.type === 'table' && (token as Tokens.Table).rows.length === 0));
      this.#continues = null;
      if (list?.ordered) {
        const ordinal = glued ? before.next : Number(list.start);
        blocks.push({ token, glued, ordinal });
        this.#continues = { type: 'list', ordered: true, next: ordinal + list.items.length };
      } else if (!empty) {
        blocks.push({ token, glued });
        if (list) this.#continues = { type: 'list', ordered: false, next: 0 };
      }
    }
    return blocks;
  }

  #lex(source: string): Token[] {
    this.parsed += source.length;
    const lexer = new Lexer();
    Object.assign(lexer.tokens.links, this.#links);
    const tokens = lexer.lex(source);
    this.#links = lexer.tokens.links;
    return tokens;
  }
}

/** All blocks of a text that is whole. */
export function blocksOf(text: string): Block[] {
  const stream = new MarkdownStream();
  stream.push(text);
  stream.finish();
  return stream.blocks;
}

function isClosed(lines: readonly string[], fence: string): boolean {
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
  return lines.slice(1).some(each => closing.test(each));
}
