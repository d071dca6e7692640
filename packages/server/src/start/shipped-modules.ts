/** Finds the modules that ship with the kernel: ordinary programs whose path the kernel knows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleSettings, ShippedModule } from '@chat-kernel/protocol';

/** In the shipped package, and in a checkout. */
const PLACES = [
  (name: string) => join(import.meta.dirname, '../../modules', name, 'main.js'),
  (name: string) => join(import.meta.dirname, '../../../../modules', name, 'main.ts'),
];

/**
 * Builds the start settings of each: over stdio, with its own folder in `modules/` of data_dir, and with the settings
 * file next to that folder, if there is one. Passwords and addresses of a module never pass through the kernel.
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
