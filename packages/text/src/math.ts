/**
 * Formulas in Markdown: `$$...$$` and `\[...\]` between lines of text, `\(...\)` and `$...$` within one. They are found
 * before the backslashes and asterisks in them mean anything else.
 */
import type { Lexer, Token, TokenizerExtension, Tokens } from 'marked';

/** A formula. Programs that cannot draw it show `raw`. */
export interface MathToken {
  type: 'math';
  raw: string;
  /** TeX. */
  text: string;
  /** Drawn on lines of its own. */
  display: boolean;
}

const CLOSING = { $$: '$$', '\\[': '\\]', '\\(': '\\)' } as const;

/** An empty line, code and bold words are not in formulas, but between variables of a shell, such as `$A` and `$B`. */
const NOT_TEX = /\n[ \t]*\n|`|\*\*/;

const isOpening = (text: string): text is keyof typeof CLOSING => Object.hasOwn(CLOSING, text);

/** Returns the formula at the beginning of a text. It contains no empty line. */
function formulaAt(text: string): MathToken | undefined {
  const opening = text.slice(0, 2);
  if (isOpening(opening)) {
    const end = text.indexOf(CLOSING[opening], 2);
    const tex = text.slice(2, end);
    if (end < 0 || tex.trim() === '' || NOT_TEX.test(tex)) return undefined;
    return { type: 'math', raw: text.slice(0, end + 2), text: tex, display: opening !== '\\(' };
  }
  const end = text.startsWith('$') ? text.indexOf('$', 1) : -1;
  const tex = text.slice(1, end);
  // Not prices: `$5 or $6`, `5 $ or 6 $`.
  if (end < 2 || NOT_TEX.test(tex) || /^\s|\n|[\s\\]$/.test(tex) || /^\d/.test(text.slice(end + 1)))
    return undefined;
  return { type: 'math', raw: text.slice(0, end + 1), text: tex, display: false };
}

export const inlineMath: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: text => /\$|\\[([]/.exec(text)?.index,
  tokenizer: text => formulaAt(text),
};

/**
 * A formula on lines of its own. As long as its end is missing, its lines up to an empty one or a fence are a paragraph:
 * `- b` in it must not become a list while the text still arrives.
 */
export const blockMath: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start: text => {
    const found = /\n {0,3}(?:\$\$|\\\[)/.exec(text);
    return found ? found.index + 1 : undefined;
  },
  tokenizer(this: { lexer: Lexer }, text): Token | undefined {
    const indent = /^ {0,3}(?=\$\$|\\\[)/.exec(text)?.[0];
    if (indent === undefined) return undefined;
    const formula = formulaAt(text.slice(indent.length));
    if (formula !== undefined) {
      const after = /^[ \t]*(?:\n+|$)/.exec(text.slice(indent.length + formula.raw.length))?.[0];
      // Its last line continues with a sentence.
      if (after === undefined) return undefined;
      return { ...formula, raw: indent + formula.raw + after };
    }
    const blank = /\n(?:[ \t]*(?:\n|$)| {0,3}(?:`{3}|~{3}))/.exec(text);
    const raw = blank ? text.slice(0, blank.index + 1) : text;
    const token: Tokens.Paragraph = { type: 'paragraph', raw, text: raw.trim(), tokens: [] };
    this.lexer.inline(token.text, token.tokens);
    return token;
  },
};
