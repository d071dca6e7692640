/** The effective settings, including values that the kernel detected. */
import { join } from 'node:path';
import type { ProviderSettings, Settings } from '@chat-kernel/protocol';

/** Folder of the module sockets. */
export const socketDirectory = ({ modules, data_dir }: Pick<Settings, 'modules' | 'data_dir'>): string =>
  modules.socket_dir ?? join(data_dir, 'modules');

/** @param found detected providers, by name */
export function effective(settings: Settings, found: Record<string, ProviderSettings>): Settings {
  const { llm, modules } = settings;
  return {
    ...settings,
    llm: { ...llm, providers: { ...llm.providers, ...found } },
    modules: { ...modules, socket_dir: socketDirectory(settings) },
  };
}
