/** The modules that come with the kernel: programs like anybody's, whose place the kernel knows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleSettings, ShippedModule } from '@chat-kernel/protocol';

/** In what ships, and in a checkout. */
const PLACES = [
  (name: string) => join(import.meta.dirname, '../../modules', name, 'main.js'),
  (name: string) => join(import.meta.dirname, '../../../../modules', name, 'main.ts'),
];

/**
 * How each is started: over stdio, with a folder of its own in `modules/` of data_dir, and with the file of settings
 * beside that folder, where there is one. What a module needs to know (passwords, addresses) never passes through the kernel.
 */
export const shippedModules = (
  names: readonly ShippedModule[],
  data_dir: string,
): Record<string, ModuleSettings> =>
  Object.fromEntries(names.map(name => [name, shippedModule(name, join(data_dir, 'modules', name))]));

function shippedModule(name: ShippedModule, folder: string): ModuleSettings {
  const program = PLACES.map(place => place(name)).find(existsSync) ?? name;
  const config = `${folder}.yaml`;
  return {
    command: process.execPath,
    args: [program, '--stdio', '--data', folder, ...(existsSync(config) ? ['--config', config] : [])],
  };
}
