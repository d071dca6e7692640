/**
 * Collects all tools of a kernel: built-in ones, those of features, and those of modules and MCP servers. Checks the settings
 * that depend on them, and on the machine.
 */
import type { Sandbox } from '@chat-kernel/hands/own-machine';
import type { Tool, ToolGroup } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { SettingsError } from '@chat-kernel/settings';
import { GROUPS } from '@chat-kernel/tools';
import type { StartContext } from './context.ts';
import { type ExtensionDeps, openExtensions } from './extensions.ts';

interface ToolDeps extends Omit<ExtensionDeps, 'reserved'> {
  builtin: readonly Tool[];
  /** Groups of the features. */
  groups: readonly ToolGroup[];
  sandbox: Sandbox;
}

/**
 * Opens the extensions; the caller must still call their `start`.
 * @throws SettingsError
 */
export async function openTools(context: StartContext, { builtin, groups, sandbox, ...deps }: ToolDeps) {
  const sorted = [...builtin].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reserved = new Set(sorted.map(({ name }) => name));
  const { extensions, start, ...brought } = await openExtensions(context, { ...deps, reserved });
  context.stops.push(() => brought.stop());
  const tools = [...sorted, ...brought.tools];
  await checkToolSettings(context.settings.tools, { tools, prefixes: brought.prefixes, sandbox });
  return { tools, groups: [...GROUPS, ...groups, ...brought.groups], extensions, start };
}

interface AvailableTools {
  tools: readonly Tool[];
  /** Prefixes of the names of tools that modules and MCP servers may still add. */
  prefixes: readonly string[];
  sandbox: Sandbox;
}

/** @throws SettingsError if the settings name unknown tools or groups, or require a sandbox that does not work */
export async function checkToolSettings(
  { shell, policy, on_demand }: Settings['tools'],
  { tools, prefixes, sandbox }: AvailableTools,
): Promise<void> {
  const names = tools.map(({ name }) => name);
  const mayCome = (name: string) => prefixes.some(prefix => name === prefix || name.startsWith(`${prefix}_`));
  const groups = [...new Set(tools.filter(tool => !tool.loads_groups).map(({ group }) => group))];
  // A misspelled `off` would leave the tool on.
  const unknown = Object.keys(policy).filter(
    name => !names.includes(name) && !groups.includes(name) && !mayCome(name),
  );
  const unknownGroups = on_demand.filter(group => !groups.includes(group) && !mayCome(group));
  const wrong = [
    ...unknown.map(
      name =>
        `tools.policy.${name}: unknown tool or group; known: ${[...new Set([...names, ...groups])].join(', ')}`,
    ),
    ...unknownGroups.map(group => `tools.on_demand: unknown group ${group}; known: ${groups.join(', ')}`),
    ...(await unmetDemands(shell, sandbox)),
  ];
  if (wrong.length > 0) throw new SettingsError(wrong);
}

/** Checks a sandbox that the settings name, or that one of their options requires. */
async function unmetDemands(
  { sandbox: wanted, network }: Settings['tools']['shell'],
  sandbox: Sandbox,
): Promise<string[]> {
  if (wanted === 'none' || (wanted === 'auto' && network === 'on')) return [];
  const problem = await sandbox.problem();
  if (problem === null) return [];
  return [
    wanted === 'bwrap'
      ? `tools.shell.sandbox: ${problem}`
      : `tools.shell.network: limiting hosts requires a sandbox, and ${problem}`,
  ];
}
