/** Helpers for plain text that need no other package. Markdown is a separate entry point. */
export { describeCron } from './cron.ts';
export { shownExactly, shownHidden, withoutHidden } from './hidden.ts';
export { cutText, cutWithCount, cutWithEllipsis, toSingleLine } from './lengths.ts';
export { Lines } from './lines.ts';
export { wellFormed } from './well-formed.ts';
