/** `chat-kernel backup` and `chat-kernel restore`. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '@chat-kernel/kernel';
import {
  type ArchiveSummary,
  backupStore,
  checkArchive,
  PLACES_SINCE,
  restoreStore,
} from '@chat-kernel/storage';
import type { Flags } from '../settings/overrides.ts';
import { homeOf, logOf, ownSettings, report } from './long-command.ts';

const OLDER =
  'The backup is of an older version, so its files and images lie in the data directory: start the kernel once, stop it, and ' +
  'run chat-kernel files move.';

export interface BackupFlags extends Flags {
  check?: boolean;
  quiet?: boolean | undefined;
}

/** Saves everything that a kernel with these settings keeps. The exit code is 1 where there is no backup. */
export async function backup(path: string, { quiet, ...flags }: BackupFlags): Promise<void> {
  const file = resolve(path);
  await report(quiet, async onProgress => {
    const home = homeOf(await ownSettings(flags));
    const { manifest, head } = await backupStore(home, { file, clock: systemClock, onProgress });
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
    const settings = await ownSettings(flags);
    const { data_dir } = settings;
    const home = homeOf(settings);
    const summary = await restoreStore(home, { file, log: logOf(settings), onProgress });
    if (summary.head.schema < PLACES_SINCE && home.bytes.store !== 'data_dir')
      process.stderr.write(`${OLDER}\n`);
    return `${data_dir} holds what was saved ${summary.head.made_at}: ${contentOf(summary)}`;
  });
}

function contentOf({ head, manifest: { tables, bytes } }: ArchiveSummary): string {
  const count = (table: string) => (tables[table] ?? 0).toLocaleString('en-US');
  const { files, images } = bytes;
  return (
    `${count('chats')} chats, ${count('messages')} messages, ${files.count} files, ${images.count} images, ` +
    `${count('books')} books, ${count('video_history')} videos; schema ${head.schema}`
  );
}
