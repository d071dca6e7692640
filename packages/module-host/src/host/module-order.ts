/** Sorts modules in the order in which they run. */
import type { HostedModule } from '../hosted/hosted-module.ts';

/** The modules in the settings in their order, then those in the directory by name. */
export function inOrder(
  modules: ReadonlyMap<string, HostedModule>,
  servers: Readonly<Record<string, unknown>>,
): HostedModule[] {
  const found = [...modules.values()].filter(({ source }) => source === 'socket_dir');
  return [
    ...Object.keys(servers).flatMap(name => modules.get(name) ?? []),
    ...found.sort((a, b) => (a.name < b.name ? -1 : 1)),
  ];
}
