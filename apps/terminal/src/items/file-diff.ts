/** Renders a file change as a colored unified diff. */
import { toFileChange as changeIn, type FileChange } from '@chat-kernel/client';
import { structuredPatch } from 'diff';
import { type Line, line, type Style, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { wrapAnywhere } from '../text/wrap.ts';
import { countShownLines, moreLines } from './view.ts';

/** Limit of edits in a comparison. Beyond it, all lines are shown as removed and added. */
const MAX_EDITS = 2000;
const CONTEXT = 3;

/**
 * @param rows lines at most, besides the first; null for all
 * @returns a line `path  +3 −1`, then the hunks
 */
export function diffLines(change: FileChange, width: number, rows: number | null): Line[] {
  const all = rawLines(change);
  const head: Line = [
    span(`${exact(change.path)}  `, { dim: true }),
    span(`+${all.filter(text => text.startsWith('+')).length}`, { colour: 'green' }),
    span(' '),
    span(`−${all.filter(text => text.startsWith('-')).length}`, { colour: 'red' }),
  ];
  const shown = all.slice(0, countShownLines(all.length, rows));
  const body = shown.map(text =>
    line(text.startsWith('\\') ? '  no newline at end of file' : exact(text), lineStyle(text)),
  );
  const lines = [head, ...body].flatMap(each => wrapAnywhere(each, width));
  return all.length > shown.length ? [...lines, moreLines(all.length - shown.length)] : lines;
}

/** Cached results by change, because a running call is rendered often. */
const compared = new WeakMap<FileChange, readonly string[]>();

function rawLines(change: FileChange): readonly string[] {
  const known = compared.get(change);
  if (known) return known;
  const { before, after, whole } = change;
  const lines = computeHunks(before ?? '', after).flatMap(
    ({ oldStart, oldLines, newStart, newLines, lines }) => [
      ...(whole && before !== null ? [`@@ −${oldStart},${oldLines} +${newStart},${newLines} @@`] : []),
      ...lines,
    ],
  );
  compared.set(change, lines);
  return lines;
}

function computeHunks(before: string, after: string) {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (patch) return patch.hunks;
  const rows = (text: string): string[] => text.replace(/\n$/, '').split('\n');
  const [old, fresh] = [rows(before), rows(after)];
  const lines = [...old.map(each => `-${each}`), ...fresh.map(each => `+${each}`)];
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: fresh.length, lines }];
}

function lineStyle(text: string): Style {
  if (text.startsWith('@@')) return { colour: 'cyan' };
  if (text.startsWith('+')) return { colour: 'green' };
  if (text.startsWith('-')) return { colour: 'red' };
  return { dim: true };
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
