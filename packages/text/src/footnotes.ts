/** Footnotes in Markdown: marks (`[^1]`) and their texts (`[^1]: text`). */
import type { Lexer, Token, TokenizerExtension } from 'marked';

/** A mark in a text. Programs show `raw` unless they know the text of its footnote. */
export interface FootnoteMark {
  type: 'footnote_mark';
  raw: string;
  label: string;
}

/** The text of a footnote. */
export interface Footnote {
  type: 'footnote';
  raw: string;
  label: string;
  /** Inline tokens. */
  tokens: Token[];
}

const MARK = /^\[\^([\w.-]{1,40})\](?![:(])/;
const NOTE = /^ {0,3}\[\^([\w.-]{1,40})\]:[ \t]*/;
/** Lines that begin another block, so they do not continue the footnote. */
const OTHER_BLOCK =
  /^ {0,3}(?:\[\^[\w.-]{1,40}\]:|`{3}|~{3}|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|[><]|\$\$|\\\[)/;

export const footnoteMark: TokenizerExtension = {
  name: 'footnote_mark',
  level: 'inline',
  start: text => /\[\^[\w.-]/.exec(text)?.index,
  tokenizer(text) {
    const [raw, label] = MARK.exec(text) ?? [];
    return raw && label ? { type: 'footnote_mark', raw, label } : undefined;
  },
};

export const footnote: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start(text) {
    const found = /\n {0,3}\[\^[\w.-]{1,40}\]:/.exec(text);
    return found ? found.index + 1 : undefined;
  },
  tokenizer(this: { lexer: Lexer }, source) {
    const [begin, label] = NOTE.exec(source) ?? [];
    if (!begin || !label) return undefined;
    const raw = source.slice(0, endOf(source, begin.length));
    const lines = raw.slice(begin.length).split('\n');
    const text = lines
      .map(line => line.trim())
      .filter(line => line !== '')
      .join('\n');
    return { type: 'footnote', raw, label, tokens: this.lexer.inline(text) };
  },
};

/** A footnote has the following lines up to an empty one, after which only indented lines continue it. */
function endOf(source: string, begin: number): number {
  let hasGap = false;
  let end = begin;
  for (let from = begin; from < source.length; from = end) {
    const next = source.indexOf('\n', from);
    const line = source.slice(from, next < 0 ? source.length : next);
    const isFirst = from === begin;
    const isEmpty = !isFirst && line.trim() === '';
    const continues = isFirst || isEmpty || (hasGap ? /^(?: {2,}|\t)/.test(line) : !OTHER_BLOCK.test(line));
    if (!continues) return from;
    hasGap ||= isEmpty;
    end = next < 0 ? source.length : next + 1;
  }
  return source.length;
}
