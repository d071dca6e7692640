/** Makes invisible characters visible: with them a text can look like another one. */

const PLAIN = /^[\x20-\x7e]*$/;
/**
 * Control characters, marks that change the direction of writing, invisible spaces, line separators and tag characters:
 * each can make a text look like another one. U+200D stays, because it joins emoji.
 */
const HIDDEN =
  /\u034f|\u17b4|\u17b5|[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Returns a text without such characters; only its lines and tabs stay. */
export const withoutHidden = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(HIDDEN, character => (character === '\n' || character === '\t' ? character : ''));

/** Returns a line in which characters are named that would control a screen or change the direction of its text. */
export const shownHidden = (text: string): string =>
  text.toWellFormed().replaceAll('\t', '    ').replace(HIDDEN, visible);

/**
 * Other invisible characters, except for joiners and selectors inside of emoji, and blanks that a shell does not treat
 * as spaces: harmless in prose, but two names may differ only in them.
 */
const UNSEEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Extended_Pictographic})\ufe0f|(?![\u200d\ufe0f])\p{Default_Ignorable_Code_Point}|[\u00a0\u1680\u2000-\u200a\u205f\u2800\u3000]/gu;

/**
 * Returns a line that shows everything it contains, fit for a decision about it. A shell runs the content of an escape
 * sequence, so a dropped part of a command would run unseen.
 */
export const shownExactly = (text: string): string =>
  PLAIN.test(text) ? text : shownHidden(text).replace(UNSEEN, visible);

/** Unicode has symbols for the C0 controls; other characters are named by their code. */
function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
