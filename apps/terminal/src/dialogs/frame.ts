/** The frame of all dialogs: a rule with a title, a body, a line about the keys. */
import { type Colour, type Line, line, span } from '../text/line.ts';
import { fit, wrapWords } from '../text/wrap.ts';

/** The room of a dialog: columns, and lines at most. */
export interface DialogSize {
  width: number;
  rows: number;
}

/** Returns the line about the keys. @param counts whether a key is an answer by now, not still part of a message */
export const keysLine = (answers: string, leaves: string, counts: boolean): string =>
  counts ? `${answers} · ${leaves}` : `${leaves} · what is typed now still goes to the message`;

/** Cuts the body where there are too few rows. */
export function framed(
  title: string,
  body: readonly Line[],
  keys: string,
  size: DialogSize,
  colour: Colour = 'cyan',
): Line[] {
  const head = fit([span('── ', { colour }), span(title, { bold: true, colour })], size.width);
  return [head, ...body.slice(0, Math.max(0, size.rows - 2)), fit(line(keys, { dim: true }), size.width)];
}

export interface DialogOption {
  label: string;
  description?: string;
  /** Present: the option has a box to tick. */
  ticked?: boolean;
}

/** Returns the lines of numbered options; the selected one is marked. */
export function optionLines(
  options: readonly DialogOption[],
  selected: number | null,
  width: number,
): Line[] {
  return options.flatMap(({ label, description, ticked }, index) => {
    const chosen = index === selected;
    const box = ticked === undefined ? '' : ticked ? '☑ ' : '☐ ';
    const number = index < 9 ? `${index + 1}. ` : '   ';
    const text = [
      span(`${chosen ? '› ' : '  '}${number}${box}${label}`, chosen ? { bold: true, colour: 'cyan' } : {}),
    ];
    const about = description ? [span(`  ${description}`, { dim: true })] : [];
    return wrapWords([...text, ...about], width);
  });
}

/** Returns the index that a digit names, or null. */
export function digit(text: string, count: number): number | null {
  const index = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
  return index >= 0 && index < count ? index : null;
}

/** Returns the next index in a ring; from no index, its beginning or its end. */
export function moved(selected: number | null, step: -1 | 1, count: number): number | null {
  if (count === 0) return null;
  if (selected === null) return step > 0 ? 0 : count - 1;
  return (selected + step + count) % count;
}
