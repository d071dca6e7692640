/**
 * Parses Markdown that grows by deltas. The text is cut into blocks line by line; finished blocks are never parsed
 * again, and the open one stays below a limit. So a delta costs the same at the end of a long answer as at its
 * beginning, and the result does not depend on how the text was split into deltas.
 */
import { getDefaults, Lexer, type Links, type Token, type TokenizerExtension, type Tokens } from 'marked';
import { type Details, details } from './details.ts';
import { type Footnote, type FootnoteMark, footnote, footnoteMark } from './footnotes.ts';
import { blockMath, inlineMath, type MathToken } from './math.ts';

export type { Details, Footnote, FootnoteMark, MathToken, Token, Tokens };

export interface MarkdownBlock {
  readonly token: Token;
  /** The number of the first item of an ordered list, which may continue the previous block. */
  readonly ordinal?: number;
  /** The block continues the previous one (a list, a fence, a table): no empty line between them. */
  readonly glued: boolean;
}

/** Lines of an open fence, or rows of an open table, that are finished as a block before its end. */
const PIECE_LINES = 40;
/** Characters of a line of the source; a longer one counts as several lines. */
const LINE_CHARS = 4000;
/** Length at which an open paragraph, quote or list item is finished. */
const BLOCK_CHARS = 8000;
/** The same for nested quotes: the parser takes twice as long for each level if later lines have fewer levels. */
const NESTED_CHARS = 1000;
const opening = (levels: number, flags?: string) =>
  new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${levels}}`, flags);
const NESTED = opening(3, 'm');
/** Nesting limit of quotes and lists that one line opens. */
const TOO_DEEP = opening(8);
/** Characters of the line of a fence; in a longer one, only the fence is its own line, and the rest is code. */
const FENCE_CHARS = 200;

export class MarkdownStream {
  /** Finished blocks; only ever appended to. */
  readonly blocks: MarkdownBlock[] = [];
  /** Number of characters that the parser received so far: tests measure the cost by it. */
  parsed = 0;
  #open = '';
  #line = '';
  #links: Links = {};
  #continues: { type: string; ordered: boolean; next: number } | null = null;

  /** Appends text. */
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

  /** True while the last finished block is a piece of a code block that may continue. */
  get continuesCode(): boolean {
    return this.#continues?.type === 'code';
  }

  /** Returns the unfinished blocks as they look if no text follows. */
  rest(): MarkdownBlock[] {
    const source = this.#open + this.#bounded();
    if (source === '') return [];
    const before = this.#continues;
    const blocks = this.#asBlocks(this.#lex(source));
    this.#continues = before;
    return blocks;
  }

  /** Ends the text: all blocks are finished. */
  finish(): void {
    this.blocks.push(...this.rest());
    this.#open = '';
    this.#line = '';
    this.#continues = null;
  }

  /**
   * Returns the open line. If it opens too many levels, the rest of it becomes text; if it is a fence with a long text,
   * that becomes code. Code stays unchanged.
   */
  #bounded(): string {
    const isDeep = TOO_DEEP.test(this.#line);
    const isLong = this.#line.length > FENCE_CHARS && FENCE.test(this.#line);
    if (!(isDeep || isLong) || hasOpenFence(this.#open.split('\n'))) return this.#line;
    return isDeep ? this.#line.replace(TOO_DEEP, '$&\\') : this.#line.replace(FENCE, '$&\n');
  }

  #takeLine(): void {
    this.#open += this.#bounded();
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
    this.#takeBeginning(last);
  }

  /**
   * Finishes the beginning of the open block that no later line can change. A block that is too long is finished whole.
   */
  #takeBeginning(token: Token): void {
    const tooLong = this.#open.length >= BLOCK_CHARS;
    if (token.type === 'list') this.#takeItems(token as Tokens.List);
    else if (token.type === 'code' && this.#takeCode(token as Tokens.Code, tooLong)) return;
    else if (token.type === 'table' && this.#takeRows(token as Tokens.Table, tooLong)) return;
    if (this.#open.length < (NESTED.test(this.#open) ? NESTED_CHARS : BLOCK_CHARS)) return;
    this.blocks.push(...this.#asBlocks(this.#lex(this.#open)));
    this.#open = '';
    this.#continues = { type: token.type, ordered: false, next: 0 };
  }

  #takeItems(list: Tokens.List): void {
    if (list.items.length < 2) return;
    const trailing = this.#open.slice(this.#open.trimEnd().length);
    const items = list.items.slice(0, -1);
    this.blocks.push(...this.#asBlocks([{ ...list, items, raw: items.map(({ raw }) => raw).join('') }]));
    this.#open = list.items.at(-1)!.raw.trimEnd() + trailing;
  }

  #takeCode(code: Tokens.Code, tooLong: boolean): boolean {
    const lines = this.#open.replace(/\n$/, '').split('\n');
    if (!hasOpenFence(lines)) return false;
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

  #asBlocks(tokens: readonly Token[]): MarkdownBlock[] {
    const blocks: MarkdownBlock[] = [];
    for (const token of tokens) {
      if (token.type === 'space' || token.type === 'def') continue;
      const list = token.type === 'list' ? (token as Tokens.List) : null;
      const before = this.#continues;
      const glued = before?.type === token.type && before.ordered === (list?.ordered ?? false);
      // A continuation that consists only of the repeated opening shows nothing.
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
    const lexer = new Lexer(LEXER_OPTIONS);
    Object.assign(lexer.tokens.links, this.#links);
    const tokens = lexer.lex(source);
    this.#links = lexer.tokens.links;
    return tokens;
  }
}

/** Returns all blocks of a whole text. */
export function blocksOf(text: string): MarkdownBlock[] {
  const stream = new MarkdownStream();
  stream.push(text);
  stream.finish();
  return stream.blocks;
}

/** The beginning of a code block. Longer runs of signs are text, which later lines do not have to repeat. */
const FENCE = /^ {0,3}(`{3,100}(?!`)|~{3,100}(?!~))/;

/** True if the lines begin with a fence that they do not close. */
function hasOpenFence(lines: readonly string[]): boolean {
  const fence = FENCE.exec(lines[0] ?? '')?.[1];
  if (fence === undefined) return false;
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
  return !lines.slice(1).some(each => closing.test(each));
}

const INLINE: readonly TokenizerExtension[] = [inlineMath, footnoteMark];
const BLOCK: readonly TokenizerExtension[] = [blockMath, footnote, details];

/** Adds formulas, footnotes and sections that fold to the Markdown that the parser knows. */
const LEXER_OPTIONS = {
  ...getDefaults(),
  extensions: {
    renderers: {},
    childTokens: {},
    inline: INLINE.map(({ tokenizer }) => tokenizer),
    startInline: INLINE.map(({ start }) => start!),
    block: BLOCK.map(({ tokenizer }) => tokenizer),
    startBlock: BLOCK.map(({ start }) => start!),
  },
};
