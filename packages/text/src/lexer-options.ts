/** Adds formulas, footnotes and sections that fold to the Markdown that the parser knows. */
import { getDefaults, type TokenizerExtension } from 'marked';
import { details } from './details.ts';
import { footnote, footnoteMark } from './footnotes.ts';
import { blockMath, inlineMath } from './math.ts';

const INLINE: readonly TokenizerExtension[] = [inlineMath, footnoteMark];
const BLOCK: readonly TokenizerExtension[] = [blockMath, footnote, details];

export const LEXER_OPTIONS = {
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
