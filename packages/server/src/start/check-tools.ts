/** Rules of settings that depend on the tools there are, and on the machine. */
import type { Tool } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { Sandbox } from '@chat-kernel/tools';
import { SettingsError } from '../settings/settings-error.ts';

interface AvailableTools {
  tools: readonly Tool[];
  /** First parts of the names of tools that modules and MCP servers may still bring. */
  prefixes: readonly string[];
  sandbox: Sandbox;
}

/**
 * @throws SettingsError where the settings name tools or groups that do not exist, or want a sandbox that does not work
 */
export async function checkToolSettings(
  { shell, policy, on_demand }: Settings['tools'],
  { tools, prefixes, sandbox }: AvailableTools,
): Promise<void> {
  const names = tools.map(({ name }) => name);
  const mayCome = (name: string) => prefixes.some(prefix => name === prefix || name.startsWith(`${prefix}_`));
  const groups = [...new Set(tools.filter(tool => !tool.loads_groups).map(({ group }) => group))];
  // A misspelt `off` would leave the tool on.
  const unknown = Object.keys(policy).filter(
    name => !names.includes(name) && !groups.includes(name) && !mayCome(name),
  );
  const unknownGroups = on_demand.filter(group => !groups.includes(group) && !mayCome(group));
  const wrong = [
    ...unknown.map(
      name =>
        `tools.policy.${name}: there is no such tool or group; there are ${[...new Set([...names, ...groups])].join(', ')}`,
    ),
    ...unknownGroups.map(
      group => `tools.on_demand: there is no group ${group}; there are ${groups.join(', ')}`,
    ),
    ...(await unmetDemands(shell, sandbox)),
  ];
  if (wrong.length > 0) throw new SettingsError(wrong);
}

/** A sandbox that was asked for by its name, or by what nothing else could hold. */
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
      : `tools.shell.network: only a sandbox can keep hosts from commands, and ${problem}`,
  ];
}
