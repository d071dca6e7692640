/** Formats log lines for people: the time, the level, the sentence, then the details. */
import { stripVTControlCharacters } from 'node:util';

/** Number of a level in the log → its label, and the code of its color on a terminal. */
const LEVELS: Readonly<Record<number, readonly [word: string, colour: number]>> = {
  20: ['debug', 90],
  30: ['info', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 31],
};
const DIM = 2;

/** Whether lines may have colors: on a terminal, unless the user has disabled them (https://no-color.org). */
export const mayColour = ({ isTTY }: { isTTY?: boolean }): boolean => isTTY === true && !process.env.NO_COLOR;

/**
 * Returns the line without its newline. A line that is not from the log, such as Node's last output, stays unchanged
 * except for characters that control a terminal.
 */
export function readableLine(line: string, { colour }: { colour: boolean }): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const facts = parseLogLine(line);
  if (facts === undefined) return plain(line);
  const { level, time, msg = '', err, ...rest } = facts;
  const [word, code] = LEVELS[Number(level)] ?? [String(level), DIM];
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`);
  const error = err as { message?: unknown; stack?: unknown } | undefined;
  if (error?.message !== undefined) fields.push(shown(error.message));
  const first = [
    paint(DIM, localTime(time)),
    paint(code, word.padEnd(5)),
    plain(String(msg)),
    ...(fields.length > 0 ? [paint(DIM, fields.join(' '))] : []),
  ].join(' ');
  const frames = String(error?.stack ?? '')
    .split('\n')
    .filter(each => /^\s+at /.test(each))
    .map(each => paint(DIM, `    ${plain(each).trim()}`));
  return [first, ...frames].join('\n');
}

/** The fields of a line that the log wrote; undefined for any other. */
function parseLogLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const facts = JSON.parse(line);
    return 'level' in facts && 'time' in facts ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** `2026-11-23 14:05:09.123`, in the time zone of this machine. */
function localTime(time: unknown): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return plain(String(time));
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1).replace('T', ' ');
}

const shown = (value: unknown): string => plain(typeof value === 'string' ? value : JSON.stringify(value));

/** A single line without characters that move the cursor. */
const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, character => (character === '\t' ? character : ' '));
