/** Applies changes to a text at positions of its original. */

export interface Edit {
  start: number;
  end: number;
  replacement: string;
}

/** Edits may touch and may enclose insertions, but two replacements must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(position, start) + replacement;
    position = end;
  }
  return result + text.slice(position);
}
