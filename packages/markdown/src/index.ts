/** What every client needs to show foreign text: Markdown that grows, and the characters that nobody sees. */

export type { Token, Tokens } from 'marked';
export { shownExactly, shownHidden } from './hidden.ts';
export { blocksOf, type MarkdownBlock, MarkdownStream } from './stream.ts';
