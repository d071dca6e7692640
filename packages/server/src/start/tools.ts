/** Collects all tools of a kernel: built-in ones, those of features, and those of modules and MCP servers. */
import type { Sandbox } from '@chat-kernel/hands/own-machine';
import type { Tool, ToolGroup } from '@chat-kernel/kernel';
import { GROUPS } from '@chat-kernel/tools';
import { checkToolSettings } from './check-tools.ts';
import { type ExtensionDeps, openExtensions } from './extensions.ts';
import type { StopStack } from './stop-stack.ts';

interface ToolDeps extends Omit<ExtensionDeps, 'reserved'> {
  builtin: readonly Tool[];
  /** Groups of the features. */
  groups: readonly ToolGroup[];
  sandbox: Sandbox;
}

export type OpenTools = Awaited<ReturnType<typeof openTools>>;

/**
 * Opens the extensions; the caller must still call their `start`.
 * @throws SettingsError
 */
export async function openTools({ builtin, groups, sandbox, ...deps }: ToolDeps, stops: StopStack) {
  const sorted = [...builtin].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reserved = new Set(sorted.map(({ name }) => name));
  const brought = await openExtensions({ ...deps, reserved });
  stops.push(() => brought.stop());
  const tools = [...sorted, ...brought.tools];
  await checkToolSettings(deps.settings.tools, { tools, prefixes: brought.prefixes, sandbox });
  return {
    tools,
    groups: [...GROUPS, ...groups, ...brought.groups],
    extensions: brought.extensions,
    start: brought.start,
  };
}
