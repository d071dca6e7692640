/** Settings that this version takes and does nothing with yet: who sets one is told. */

const NOT_USED_YET = ['modules', 'mcp', 'sleep', 'requests.client_op_timeout_secs', 'compaction'];

/** One line, or none. `tree`: what was set, without defaults. */
export function unusedSections(tree: Record<string, unknown>): string[] {
  const set = NOT_USED_YET.filter(setting => isSet(tree, setting));
  return set.length === 0 ? [] : [`This version does not use these settings yet: ${set.join(', ')}`];
}

function isSet(tree: Record<string, unknown>, setting: string): boolean {
  const [section, key] = setting.split('.') as [string, string?];
  const set = tree[section];
  return key === undefined ? set !== undefined : typeof set === 'object' && set !== null && key in set;
}
