/** Helpers of long-running commands on the store of a kernel. */
import type { Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { logDestination, openLog } from '@chat-kernel/server/log';
import { bytesSetting, collectSecrets, type Flags, loadOwnSettings } from '@chat-kernel/settings';
import type { BytesSetting, StoreHome } from '@chat-kernel/storage';
import { ProgressLines } from './progress-lines.ts';

/** Loads the settings and prints warnings to stderr. @throws SettingsError */
export async function ownSettings(flags: Flags): Promise<Settings> {
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  return settings;
}

/** Returns the configured storage locations. @throws SettingsError */
export const getStoreHome = (settings: Settings): StoreHome & { bytes: BytesSetting } => ({
  data_dir: settings.data_dir,
  url: settings.database.url,
  bytes: bytesSetting(settings, process.env),
});

export const openCommandLog = (settings: Settings): Log =>
  openLog('warn', collectSecrets(settings, process.env), logDestination(settings.data_dir));

/** Prints progress to stderr during the work, then its result to stdout. */
export async function report(
  quiet: boolean | undefined,
  work: (onProgress: ProgressLines['show']) => Promise<string>,
): Promise<void> {
  const lines = new ProgressLines(process.stderr, quiet === true);
  try {
    const sentence = await work(lines.show);
    lines.end();
    process.stdout.write(`${sentence}.\n`);
  } finally {
    lines.end();
  }
}
