/** "Did you mean": the known name that is closest to an unknown one. */

/** Returns the closest name; undefined where all differ by more than a third of the letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map(candidate => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, name.length / 3) ? best.candidate : undefined;
}

/** Returns `, did you mean "port"?` or nothing. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `, did you mean "${near}"?`;
}

/** Counts the letters to add, remove, change or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const table = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? table[i - 2]![j - 2]! + 1 : change;
      row.push(Math.min(change, swap, table[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    table.push(row);
  }
  return table[a.length]![b.length]!;
}
