/** Compares two texts line by line. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place';
  text: string;
}

/** The most edits that a comparison may find; beyond them all lines are shown as removed and added. */
const MOST_EDITS = 2000;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** @param numbered whether to say where in the file each part of the change stands */
export function compare(before: string, after: string, numbered: boolean): readonly DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MOST_EDITS });
  if (!patch) return [...rows(before, 'removed'), ...rows(after, 'added')];
  return patch.hunks.flatMap(({ oldStart, newStart, lines }) => [
    ...(numbered && before !== ''
      ? [{ kind: 'place' as const, text: `line ${oldStart} → ${newStart}` }]
      : []),
    ...lines.map(line => ({
      kind: KINDS[line[0] ?? ''] ?? 'place',
      text: KINDS[line[0] ?? ''] ? line.slice(1) : 'no line break at the end',
    })),
  ]);
}

const rows = (text: string, kind: DiffLine['kind']): DiffLine[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map(line => ({ kind, text: line }));
