/** Compares two texts line by line. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place';
  text: string;
}

/** Limit of edits in a comparison. With more, all lines from the first to the last change are removed and added. */
const MAX_EDITS = 2000;
/** Unchanged lines around a change. */
const CONTEXT = 3;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** @param numbered whether to show the line number of each hunk */
export function compare(before: string, after: string, numbered: boolean): readonly DiffLine[] {
  const showsPlace = numbered && before !== '';
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return compareEnds(splitLines(before), splitLines(after), showsPlace);
  return patch.hunks.flatMap(({ oldStart, newStart, lines }) => [
    ...(showsPlace ? [place(oldStart, newStart)] : []),
    ...lines.map(line => ({
      kind: KINDS[line[0] ?? ''] ?? 'place',
      text: KINDS[line[0] ?? ''] ? line.slice(1) : 'No newline at end of file',
    })),
  ]);
}

/** Compares only the beginnings and the ends, which takes little time however much was changed between them. */
function compareEnds(old: readonly string[], fresh: readonly string[], showsPlace: boolean): DiffLine[] {
  const length = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const first = Math.max(0, start - CONTEXT);
  return [
    ...(showsPlace ? [place(first + 1, first + 1)] : []),
    ...rows(old.slice(first, start), 'same'),
    ...rows(old.slice(start, old.length - end), 'removed'),
    ...rows(fresh.slice(start, fresh.length - end), 'added'),
    ...rows(old.slice(old.length - end, old.length - end + CONTEXT), 'same'),
  ];
}

const place = (old: number, fresh: number): DiffLine => ({ kind: 'place', text: `line ${old} → ${fresh}` });

const splitLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const rows = (lines: readonly string[], kind: DiffLine['kind']): DiffLine[] =>
  lines.map(text => ({ kind, text }));
