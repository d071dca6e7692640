/** What commands share that work on the store of a kernel, and may take long. */
import type { Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { BytesSetting, StoreHome } from '@chat-kernel/storage';
import { bytesSetting } from '../settings/bytes.ts';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { secretsOf } from '../settings/secrets.ts';
import { openLog } from '../start/log.ts';
import { logDestination } from '../start/log-destination.ts';
import { explain } from '../start/start-failure.ts';
import { ProgressLines } from './progress-lines.ts';

/** Loads the settings; warnings about them go to stderr. @throws SettingsError */
export async function ownSettings(flags: Flags): Promise<Settings> {
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  return settings;
}

/** Where the settings want everything to lie. @throws SettingsError */
export const homeOf = (settings: Settings): StoreHome & { bytes: BytesSetting } => ({
  data_dir: settings.data_dir,
  url: settings.database.url,
  bytes: bytesSetting(settings, process.env),
});

export const logOf = (settings: Settings): Log =>
  openLog('warn', secretsOf(settings, process.env), logDestination(settings.data_dir));

/** Prints progress on stderr while the work lasts, then its sentence on stdout. */
export async function report(
  quiet: boolean | undefined,
  work: (onProgress: ProgressLines['show']) => Promise<string>,
): Promise<void> {
  const lines = new ProgressLines(process.stderr, quiet === true);
  try {
    const sentence = await work(lines.show);
    lines.end();
    process.stdout.write(`${sentence}.\n`);
  } catch (error) {
    lines.end();
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
