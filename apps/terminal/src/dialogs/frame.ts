/** Frames a dialog: a rule with the title, the body, and a line with the keys. */
import { type Colour, type Line, line, span } from '../text/line.ts';
import { fit, wrapWords } from '../text/wrap.ts';

/** Columns and maximum rows of a dialog. */
export interface DialogSize {
  width: number;
  rows: number;
}

/** Returns the line with the keys. @param counts whether keys already count as answers */
export const keysLine = (answers: string, leaves: string, counts: boolean): string =>
  counts ? `${answers} · ${leaves}` : `${leaves} · typing still goes to the message`;

/** Cuts the body if there are too few rows. */
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
  /** Its letter; absent: its number. */
  key?: string;
  description?: string;
  /** If present, the option has a checkbox. */
  ticked?: boolean;
}

/** Renders options with their keys, and marks the selected one. */
export function optionLines(
  options: readonly DialogOption[],
  selected: number | null,
  width: number,
): Line[] {
  return options.flatMap(({ label, key, description, ticked }, index) => {
    const chosen = index === selected;
    const box = ticked === undefined ? '' : ticked ? '☑ ' : '☐ ';
    const number = key ? `${key}  ` : index < 9 ? `${index + 1}. ` : '   ';
    const text = [
      span(`${chosen ? '› ' : '  '}${number}${box}${label}`, chosen ? { bold: true, colour: 'cyan' } : {}),
    ];
    const about = description ? [span(`  ${description}`, { dim: true })] : [];
    return wrapWords([...text, ...about], width);
  });
}

/** Converts a digit to an index, or null. */
export function digit(text: string, count: number): number | null {
  const index = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
  return index >= 0 && index < count ? index : null;
}

/** Returns the next index, wrapping around. Without an index, starts at the first or last one. */
export function moved(selected: number | null, step: -1 | 1, count: number): number | null {
  if (count === 0) return null;
  if (selected === null) return step > 0 ? 0 : count - 1;
  return (selected + step + count) % count;
}
