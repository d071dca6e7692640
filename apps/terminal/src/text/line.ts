/** Styled text as plain data: a view returns lines, a line is spans, and both can be counted, cut and compared. */
import stringWidth from 'string-width';
import { type SafeText, safe } from './safe.ts';

/** The terminal's own palette, so that its theme decides; white, black and greys would fit only one background. */
export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

export interface Style {
  readonly colour?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  /** An address that `webAddress` has returned. */
  readonly link?: string;
}
export interface Span {
  readonly text: SafeText;
  readonly style: Style;
}
export type Line = readonly Span[];

const PLAIN: Style = {};
export const BLANK: Line = [];

/** Makes a string safe; there is no other way from a string to the screen. */
export const span = (text: string, style: Style = PLAIN): Span => ({ text: safe(text), style });
export const line = (text: string, style?: Style): Line => (text === '' ? BLANK : [span(text, style)]);

const ASCII = /^[\x20-\x7e]*$/;
/** Counts the columns that a text takes. */
export const textWidth = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));
export const lineWidth = (given: Line): number => given.reduce((sum, each) => sum + textWidth(each.text), 0);
export const lineText = (given: Line): string => given.map(each => each.text).join('');

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Splits a text into characters as a reader counts them. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  return Array.from(GRAPHEMES.segment(text), each => each.segment);
}

/** Returns the normalised address of the web or of mail, else null: no other scheme becomes a link. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  // The parser escapes controls in most places only, and a control would end the escape sequence of a link.
  return /^(https?|mailto):$/.test(protocol) && /^[\x21-\x7e]+$/.test(href) ? href : null;
}
