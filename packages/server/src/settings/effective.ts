/** The settings that count, with what the kernel has found for those that were left to it. */
import { join } from 'node:path';
import type { ProviderSettings, Settings } from '@chat-kernel/protocol';

/** The folder in which sockets of modules are looked for. */
export const socketDirectory = ({ modules, data_dir }: Pick<Settings, 'modules' | 'data_dir'>): string =>
  modules.socket_dir ?? join(data_dir, 'modules');

/** @param found the providers that nobody configured, by name */
export function effective(settings: Settings, found: Record<string, ProviderSettings>): Settings {
  const { llm, modules } = settings;
  return {
    ...settings,
    llm: { ...llm, providers: { ...llm.providers, ...found } },
    modules: { ...modules, socket_dir: socketDirectory(settings) },
  };
}
