/** Settings that this version takes and does nothing with yet: who sets one is told. */

const NOT_USED_YET = ['modules', 'mcp', 'sleep', 'requests', 'compaction', 'files'];

/** One line, or none. `tree`: what was set, without defaults. */
export function unusedSections(tree: Record<string, unknown>): string[] {
  const set = NOT_USED_YET.filter(section => tree[section] !== undefined);
  return set.length === 0 ? [] : [`This version does not use these settings yet: ${set.join(', ')}`];
}
