/** Searches the entries of the palette. */

export interface Entry {
  key: string;
  label: string;
  hint: string;
  run(): void;
}

export interface Group {
  title: string;
  entries: readonly Entry[];
}

/** Returns the groups with the entries that contain every word, the best entries and groups first. */
export function searchGroups(groups: readonly Group[], query: string): readonly Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups.filter(({ entries }) => entries.length > 0);
  return groups
    .map(({ title, entries }) => {
      const ranked = entries
        .map(entry => ({ entry, rank: rankOf(entry, words) }))
        .filter(({ rank }) => rank < NOT_FOUND)
        .sort((a, b) => a.rank - b.rank);
      return { title, entries: ranked.map(({ entry }) => entry), best: ranked[0]?.rank ?? NOT_FOUND };
    })
    .filter(({ best }) => best < NOT_FOUND)
    .sort((a, b) => a.best - b.best);
}

const NOT_FOUND = 4;

/** Ranks labels that begin with the words before those that contain them, and the hint last. */
function rankOf({ label, hint }: Entry, words: readonly string[]): number {
  const text = label.toLowerCase();
  const isIn = (where: string) => words.every(word => where.includes(word));
  if (text.startsWith(words.join(' '))) return 0;
  if (words.every(word => ` ${text}`.includes(` ${word}`))) return 1;
  if (isIn(text)) return 2;
  return isIn(`${text} ${hint.toLowerCase()}`) ? 3 : NOT_FOUND;
}
