/** `chat-kernel backup` and `chat-kernel restore`. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { type ArchiveSummary, backupStore, checkArchive, restoreStore } from '@chat-kernel/storage';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { secretsOf } from '../settings/secrets.ts';
import { openLog } from '../start/log.ts';
import { logDestination } from '../start/log-destination.ts';
import { explain } from '../start/start-failure.ts';
import { ProgressLines } from './progress-lines.ts';

export interface BackupFlags extends Flags {
  check?: boolean;
  quiet?: boolean | undefined;
}

/** Saves everything that a kernel with these settings keeps. The exit code is 1 where there is no backup. */
export async function backup(path: string, { quiet, ...flags }: BackupFlags): Promise<void> {
  const file = resolve(path);
  await report(quiet, async onProgress => {
    const settings = await settingsOf(flags);
    const place = { data_dir: settings.data_dir, url: settings.database.url };
    const { manifest, head } = await backupStore(place, { file, clock: systemClock, onProgress });
    const { images, files } = manifest.bytes;
    const missing = images.missing + files.missing;
    if (missing > 0)
      process.stderr.write(`The bytes of ${missing} files and images were not on the disk any more.\n`);
    const { size } = await stat(file);
    return `${file}: ${contentOf({ manifest, head })}, ${(size / 1024 ** 2).toFixed(1)} MiB`;
  });
}

/** Reads a backup through. The exit code is 1 where it is none, or not whole. */
export async function checkBackup(path: string, { quiet }: Pick<BackupFlags, 'quiet'>): Promise<void> {
  const file = resolve(path);
  await report(quiet, async onProgress => {
    const summary = await checkArchive(file, onProgress);
    return `${file} is whole: ${contentOf(summary)}, made ${summary.head.made_at} on ${summary.head.database}`;
  });
}

/** Puts a backup into the directory and the database of the settings. The exit code is 1 where nothing was restored. */
export async function restore(path: string, { quiet, ...flags }: BackupFlags): Promise<void> {
  const file = resolve(path);
  await report(quiet, async onProgress => {
    const settings = await settingsOf(flags);
    const { data_dir, database } = settings;
    const log = openLog('warn', secretsOf(settings, process.env), logDestination(data_dir));
    const summary = await restoreStore({ data_dir, url: database.url }, { file, log, onProgress });
    return `${data_dir} holds what was saved ${summary.head.made_at}: ${contentOf(summary)}`;
  });
}

/** Loads the settings; warnings about them go to stderr. @throws SettingsError */
async function settingsOf(flags: Flags): Promise<Settings> {
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  return settings;
}

/** Prints progress on stderr while the work lasts, then its sentence on stdout. */
async function report(
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

function contentOf({ head, manifest: { tables, bytes } }: ArchiveSummary): string {
  const count = (table: string) => (tables[table] ?? 0).toLocaleString('en-US');
  const { files, images } = bytes;
  return (
    `${count('chats')} chats, ${count('messages')} messages, ${files.count} files, ${images.count} images, ` +
    `${count('books')} books, ${count('video_history')} videos; schema ${head.schema}`
  );
}
