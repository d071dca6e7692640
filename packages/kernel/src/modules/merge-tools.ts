/**
 * Merges the tools of a kernel with those that only others have (FLEET-4). A local module or guest always wins,
 * whatever its state; among remote ones, an available one wins, then the one on the oldest kernel.
 */
import type { KernelName } from '@chat-kernel/protocol';
import type { AdvertisedTools, ExtensionTool, ExtensionTools, ToolAdvertisement } from '../ports/index.ts';

/**
 * @param own the tools of this kernel
 * @param at those of other kernels, with the oldest kernel first
 * @param here this kernel
 * @param callable creates the function that calls a remote tool
 */
export function mergeTools(
  own: ExtensionTools,
  at: readonly AdvertisedTools[],
  here: KernelName,
  callable: (tool: ToolAdvertisement, at: AdvertisedTools) => ExtensionTool,
): ExtensionTools {
  const chosen = selectRemoteTools(own, at);
  const isElsewhere = new Set(chosen.map(({ group }) => group.name));
  const isHere = new Set(own.here);
  const kept = own.tools
    .filter(({ group }) => !isElsewhere.has(group))
    .map(tool => (isHere.has(tool.group) ? { ...tool, kernel: here } : tool));
  const names = new Set(kept.map(({ name }) => name));
  const added: ExtensionTool[] = [];
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

/** The remote modules and guests, each once, by name. */
function selectRemoteTools(
  own: Pick<ExtensionTools, 'here'>,
  at: readonly AdvertisedTools[],
): AdvertisedTools[] {
  const byName = Map.groupBy(
    at.filter(({ group }) => !own.here.includes(group.name)),
    ({ group }) => group.name,
  );
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each.find(isUp) ?? (each[0] as AdvertisedTools));
}

/** Whether a module or guest is available. */
export const isUp = ({ tools }: Pick<AdvertisedTools, 'tools'>): boolean =>
  tools.some(({ available = true }) => available);
