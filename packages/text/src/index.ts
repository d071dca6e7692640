/** Helpers for plain text that need no other package. Markdown is a separate entry point. */
export { capitalize, compact, counted, dollars, duration, ordinal, plain } from './amounts.ts';
export { describeCron } from './cron.ts';
export { shownExactly, shownHidden, withoutHidden } from './hidden.ts';
export { decodeEntities, webAddress } from './inline.ts';
export { cutText, cutWithCount, cutWithEllipsis, toSingleLine, wellFormed } from './lengths.ts';
export { Lines } from './lines.ts';
