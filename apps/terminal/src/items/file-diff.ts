/** Renders a file change as a colored unified diff. */
import { toFileChange as changeIn, type FileChange } from '@chat-kernel/client';
import { compare, type DiffLine } from '@chat-kernel/text/compare';
import { type Line, line, type Style, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { wrapAnywhere } from '../text/wrap.ts';
import { countShownLines, moreLines } from './view.ts';

const SIGNS = { added: '+', removed: '-', same: ' ', place: '' } as const;
const STYLES: Readonly<Record<DiffLine['kind'], Style>> = {
  added: { colour: 'green' },
  removed: { colour: 'red' },
  same: { dim: true },
  place: { colour: 'cyan' },
};

/**
 * @param rows lines at most, besides the first; null for all
 * @returns a line `path  +3 −1`, then the hunks
 */
export function diffLines(change: FileChange, width: number, rows: number | null): Line[] {
  const all = compared(change);
  const count = (wanted: DiffLine['kind']): number => all.filter(({ kind }) => kind === wanted).length;
  const head: Line = [
    span(`${exact(change.path)}  `, { dim: true }),
    span(`+${count('added')}`, { colour: 'green' }),
    span(' '),
    span(`−${count('removed')}`, { colour: 'red' }),
  ];
  const shown = all.slice(0, countShownLines(all.length, rows));
  const body = shown.map(({ kind, text }) => line(exact(SIGNS[kind] + text), STYLES[kind]));
  const lines = [head, ...body].flatMap(each => wrapAnywhere(each, width));
  return all.length > shown.length ? [...lines, moreLines(all.length - shown.length)] : lines;
}

/** Cached results by change, because a running call is rendered often. */
const comparisons = new WeakMap<FileChange, readonly DiffLine[]>();

function compared(change: FileChange): readonly DiffLine[] {
  const { before, after, whole } = change;
  const lines = comparisons.get(change) ?? compare(before ?? '', after, whole);
  comparisons.set(change, lines);
  return lines;
}

/** Returns the change of an edit_file or write_file call or of a write operation; null for other inputs. */
export function cachedFileChange(name: string, input: Input): FileChange | null {
  const known = changes.get(input);
  if (known !== undefined) return known;
  const change = changeIn(name, input);
  changes.set(input, change);
  return change;
}

type Input = Readonly<Record<string, unknown>>;
/** Cached results by input. Each input belongs to one call. */
const changes = new WeakMap<Input, FileChange | null>();
