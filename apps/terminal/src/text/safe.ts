/** The check of all untrusted text on its way to the terminal: behind it, no text can steer the screen. */
import { stripVTControlCharacters } from 'node:util';
import { shownExactly, shownHidden } from '@chat-kernel/markdown';

declare const checked: unique symbol;
/** A line of text that has passed `safe` or `exact`. */
export type SafeText = string & { readonly [checked]: true };

const PLAIN = /^[\x20-\x7e]*$/;
/** The beginnings of escape sequences. Whole sequences are dropped: the colours of a tool's output mean nothing here. */
const ESCAPES = ['\u001b', '\u009b'];

/** Makes a line of untrusted text safe: characters that would act on a terminal are shown instead. */
export function safe(text: string): SafeText {
  if (PLAIN.test(text)) return text as SafeText;
  const bare = ESCAPES.some(each => text.includes(each)) ? stripVTControlCharacters(text) : text;
  return shownHidden(bare) as SafeText;
}

/**
 * Makes a line safe for a decision about it: as `safe`, but nothing is dropped. A shell runs what is inside of an escape
 * sequence, so a dropped part of a command would run unseen.
 */
export const exact = (text: string): SafeText => shownExactly(text) as SafeText;

/** Splits a text into its lines, which are not yet safe. */
export const linesOf = (text: string): string[] => text.replace(/\r\n?/g, '\n').split('\n');
