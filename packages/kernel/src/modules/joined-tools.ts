/**
 * The tools of a kernel together with those that only others have (FLEET-4): a module or guest that is here counts, whatever
 * its state; of the others' the one that is up, and of several the one at the oldest kernel.
 */
import type { KernelName } from '@chat-kernel/protocol';
import type { BroughtTool, BroughtTools, SharedTool, ToolsAt } from '../ports/index.ts';

/**
 * @param own the tools of this kernel
 * @param at those of others, which the oldest kernel's come first of
 * @param here this kernel
 * @param callable makes what calls a tool of another kernel
 */
export function joinedTools(
  own: BroughtTools,
  at: readonly ToolsAt[],
  here: KernelName,
  callable: (tool: SharedTool, at: ToolsAt) => BroughtTool,
): BroughtTools {
  const chosen = chosenOf(own, at);
  const isElsewhere = new Set(chosen.map(({ group }) => group.name));
  const isHere = new Set(own.here);
  const kept = own.tools
    .filter(({ group }) => !isElsewhere.has(group))
    .map(tool => (isHere.has(tool.group) ? { ...tool, kernel: here } : tool));
  const names = new Set(kept.map(({ name }) => name));
  const added: BroughtTool[] = [];
  for (const each of chosen)
    for (const tool of each.tools) {
      if (names.has(tool.name)) continue;
      names.add(tool.name);
      added.push(callable(tool, each));
    }
  const groups = own.groups.filter(({ name }) => !isElsewhere.has(name));
  return {
    ...own,
    tools: [...kept, ...added],
    groups: [...groups, ...chosen.map(({ group }) => group)],
  };
}

/** Those that are not here, each once, by name. */
function chosenOf(own: Pick<BroughtTools, 'here'>, at: readonly ToolsAt[]): ToolsAt[] {
  const byName = Map.groupBy(
    at.filter(({ group }) => !own.here.includes(group.name)),
    ({ group }) => group.name,
  );
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each.find(isUp) ?? (each[0] as ToolsAt));
}

/** Whether a module or guest is up. */
export const isUp = ({ tools }: Pick<ToolsAt, 'tools'>): boolean =>
  tools.some(({ available = true }) => available);
