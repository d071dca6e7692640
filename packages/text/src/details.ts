/** Sections that fold in Markdown: `<details>` with a `<summary>`. Other HTML is text, which programs show as such. */
import type { Lexer, Token, TokenizerExtension } from 'marked';

export interface Details {
  type: 'details';
  raw: string;
  /** Inline tokens. */
  summary: Token[];
  /** Blocks. */
  tokens: Token[];
  /** The section begins unfolded, because its tag says so or because its end is missing. */
  open: boolean;
}

const OPENING = /^ {0,3}<details(?:\s+open(?:=(?:""|"open"|''|'open'))?)?\s*>/i;
const SUMMARY = /^\s*<summary>([\s\S]*?)<\/summary>/i;
const FORMATTING = /<\/?(?:b|strong|i|em|code|h[1-6])>/gi;
/** Limits the nesting, because each level is parsed separately. */
const MAX_DEPTH = 4;
let depth = 0;

export const details: TokenizerExtension = {
  name: 'details',
  level: 'block',
  start(text) {
    const found = /\n {0,3}<details[\s>]/i.exec(text);
    return found ? found.index + 1 : undefined;
  },
  tokenizer(this: { lexer: Lexer }, source) {
    const opening = OPENING.exec(source)?.[0];
    if (opening === undefined || depth >= MAX_DEPTH) return undefined;
    const { inner, end } = bodyAfter(source, opening.length);
    const [head, title = 'Details'] = SUMMARY.exec(inner) ?? [''];
    const summary = this.lexer.inline(title.replace(FORMATTING, '').replace(/\s+/g, ' ').trim());
    const { top } = this.lexer.state;
    this.lexer.state.top = true;
    depth++;
    try {
      const tokens = this.lexer.blockTokens(inner.slice(head.length).replace(/^[ \t]*\n/, ''));
      const open = end === null || /\sopen/i.test(opening);
      return { type: 'details', raw: source.slice(0, end ?? source.length), summary, tokens, open };
    } finally {
      depth--;
      this.lexer.state.top = top;
    }
  },
};

/** Finds the end of a section; tags in code do not count. @returns an end of null if it is missing */
function bodyAfter(source: string, begin: number): { inner: string; end: number | null } {
  let fence = '';
  let level = 1;
  for (let from = begin, to = from; from < source.length; from = to) {
    const next = source.indexOf('\n', from);
    to = next < 0 ? source.length : next + 1;
    const line = source.slice(from, to);
    const sign = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (sign.startsWith(fence) && line.trim() === sign) fence = '';
      continue;
    }
    fence = sign;
    for (const tag of line.matchAll(/<(\/?)details\b[^<>]*>/gi)) {
      level += tag[1] === '/' ? -1 : 1;
      if (level > 0) continue;
      const after = from + tag.index + tag[0].length;
      const blank = /^[ \t]*(?:\n|$)(?:[ \t]*\n)*/.exec(source.slice(after))?.[0] ?? '';
      return { inner: source.slice(begin, from + tag.index), end: after + blank.length };
    }
  }
  return { inner: source.slice(begin), end: null };
}
