/** The check of all untrusted text on its way to the terminal: behind it, no text can steer the screen. */
import { stripVTControlCharacters } from 'node:util';

declare const checked: unique symbol;
/** A line of text that has passed `safe` or `exact`. */
export type SafeText = string & { readonly [checked]: true };

const PLAIN = /^[\x20-\x7e]*$/;
/** The beginnings of escape sequences. Whole sequences are dropped: the colours of a tool's output mean nothing here. */
const ESCAPES = ['\u001b', '\u009b'];
/**
 * Controls, marks that turn the direction of writing, invisible spaces, line separators and tag characters: each can
 * make a text look like another one. U+200D stays, for it joins emoji.
 */
const HIDDEN =
  /\u034f|\u17b4|\u17b5|[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Makes a line of untrusted text safe: characters that would act on a terminal are shown instead. */
export function safe(text: string): SafeText {
  if (PLAIN.test(text)) return text as SafeText;
  const bare = ESCAPES.some(each => text.includes(each)) ? stripVTControlCharacters(text) : text;
  return bare.toWellFormed().replaceAll('\t', '    ').replace(HIDDEN, visible) as SafeText;
}

/**
 * What nobody sees, but for the joiners and selectors inside of emoji, and blanks that a shell does not take for a space:
 * harmless in prose, but two names may differ in nothing else.
 */
const UNSEEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Extended_Pictographic})\ufe0f|(?![\u200d\ufe0f])\p{Default_Ignorable_Code_Point}|[\u00a0\u1680\u2000-\u200a\u205f\u2800\u3000]/gu;

/**
 * Makes a line safe for a decision about it: as `safe`, but nothing is dropped. A shell runs what is inside of an escape
 * sequence, so a dropped part of a command would run unseen.
 */
export function exact(text: string): SafeText {
  if (PLAIN.test(text)) return text as SafeText;
  const shown = text.toWellFormed().replaceAll('\t', '    ').replace(HIDDEN, visible);
  return shown.replace(UNSEEN, visible) as SafeText;
}

/** Splits a text into its lines, which are not yet safe. */
export const linesOf = (text: string): string[] => text.replace(/\r\n?/g, '\n').split('\n');

/** Unicode has pictures for the C0 controls; the other characters are named by their code. */
function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
