/** Styled text as plain data: views return lines of spans, which can be measured, cut and compared. */
import stringWidth from 'string-width';
import { type SafeText, safe } from './safe.ts';

/** Colors of the terminal's theme. White, black and gray are missing because they suit only one background. */
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

/** Creates a safe span. Every string on the screen passes here. */
export const span = (text: string, style: Style = PLAIN): Span => ({ text: safe(text), style });
export const line = (text: string, style?: Style): Line => (text === '' ? BLANK : [span(text, style)]);

const ASCII = /^[\x20-\x7e]*$/;
/** Returns the width of a text in columns. */
export const textWidth = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));
export const lineWidth = (spans: Line): number => spans.reduce((sum, each) => sum + textWidth(each.text), 0);
export const lineText = (spans: Line): string => spans.map(each => each.text).join('');

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Splits a text into user-perceived characters. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  return Array.from(GRAPHEMES.segment(text), each => each.segment);
}
