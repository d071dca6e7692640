/** Finds the answers that another model wrote than the answer before them. */
import type { Row } from './rows.ts';

/** Returns their models by the keys of their items. Answers without a known model are skipped. */
export function findNewModels(rows: readonly Row[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let last: string | undefined;
  for (const { item, itemKey, isFirst } of rows) {
    if (!isFirst || item.kind !== 'agent_message' || item.model === undefined) continue;
    if (last !== undefined && item.model !== last) found.set(itemKey, item.model);
    last = item.model;
  }
  return found;
}
