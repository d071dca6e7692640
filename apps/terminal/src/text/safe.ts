/** Makes untrusted text safe, so that it cannot control the terminal. */
import { stripVTControlCharacters } from 'node:util';
import { shownExactly, shownHidden } from '@chat-kernel/text';

declare const checked: unique symbol;
/** A line of text from `safe` or `exact`. */
export type SafeText = string & { readonly [checked]: true };

const PLAIN = /^[\x20-\x7e]*$/;
/** Starts of escape sequences. Whole sequences are dropped, such as the colors of tool output. */
const ESCAPES = ['\u001b', '\u009b'];

/** Makes a line of untrusted text safe: control characters become visible. */
export function safe(text: string): SafeText {
  if (PLAIN.test(text)) return text as SafeText;
  const bare = ESCAPES.some(each => text.includes(each)) ? stripVTControlCharacters(text) : text;
  return shownHidden(bare) as SafeText;
}

/**
 * Makes a line safe for an approval: like `safe`, but nothing is dropped. A shell also runs the content of an escape
 * sequence, so a dropped part of a command would run unseen.
 */
export const exact = (text: string): SafeText => shownExactly(text) as SafeText;

/** Splits a text into lines, which are not yet safe. */
export const splitLines = (text: string): string[] => text.replace(/\r\n?/g, '\n').split('\n');
