/** `chat-kernel backup` and `chat-kernel restore`. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '@chat-kernel/kernel';
import type { Flags } from '@chat-kernel/settings';
import {
  type ArchiveSummary,
  backupStore,
  checkArchive,
  PLACES_SINCE,
  restoreStore,
} from '@chat-kernel/storage';
import { getStoreHome, openCommandLog, ownSettings, report } from './long-command.ts';

const OLDER =
  'The backup is from an older version, so its files and images are in the data directory. To move them, start and stop the server ' +
  'once, then run chat-kernel files move.';

export interface BackupFlags extends Flags {
  check?: boolean;
  quiet?: boolean | undefined;
}

/** Backs up the data of a kernel with these settings, or verifies a backup. The exit code is 1 if it fails. */
export async function backup(path: string, { check, quiet, ...flags }: BackupFlags): Promise<void> {
  const file = resolve(path);
  if (check) return checkBackup(file, quiet);
  await report(quiet, async onProgress => {
    const home = getStoreHome(await ownSettings(flags));
    const { manifest, head } = await backupStore(home, { file, clock: systemClock, onProgress });
    const { images, files } = manifest.bytes;
    const missing = images.missing + files.missing;
    if (missing > 0)
      process.stderr.write(`Missing on disk and not backed up: ${missing} files and images.\n`);
    const { size } = await stat(file);
    return `${file}: ${describeContent({ manifest, head })}, ${(size / 1024 ** 2).toFixed(1)} MiB`;
  });
}

/** Fails if the backup is invalid or incomplete. */
async function checkBackup(file: string, quiet: boolean | undefined): Promise<void> {
  await report(quiet, async onProgress => {
    const summary = await checkArchive(file, onProgress);
    return `${file} is complete: ${describeContent(summary)}, created ${summary.head.made_at} on ${summary.head.database}`;
  });
}

/** Restores a backup into the configured directory and database. The exit code is 1 if it fails. */
export async function restore(
  path: string,
  { quiet, ...flags }: BackupFlags,
  unpack = restoreStore,
): Promise<void> {
  const file = resolve(path);
  await report(quiet, async onProgress => {
    const settings = await ownSettings(flags);
    const { data_dir } = settings;
    const home = getStoreHome(settings);
    const summary = await unpack(home, { file, log: openCommandLog(settings), onProgress });
    if (summary.head.schema < PLACES_SINCE && home.bytes.store !== 'data_dir')
      process.stderr.write(`${OLDER}\n`);
    return `Restored to ${data_dir} from the backup of ${summary.head.made_at}: ${describeContent(summary)}`;
  });
}

function describeContent({ head, manifest: { tables, bytes } }: ArchiveSummary): string {
  const count = (table: string) => (tables[table] ?? 0).toLocaleString('en-US');
  const { files, images } = bytes;
  return (
    `${count('chats')} chats, ${count('messages')} messages, ${files.count} files, ${images.count} images, ` +
    `${count('books')} books, ${count('video_history')} videos; schema ${head.schema}`
  );
}
