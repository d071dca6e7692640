/** `chat-kernel files move`: moves stored files and images to one backend. */
import { BYTE_PLACES, type BytePlace } from '@chat-kernel/protocol';
import type { Flags } from '@chat-kernel/settings';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { type MoveSummary, moveBytes } from '@chat-kernel/storage';
import { getStoreHome, openCommandLog, ownSettings, report } from './long-command.ts';

export interface MoveFlags extends Flags {
  to: string;
  quiet?: boolean | undefined;
}

/** Moves all files that are stored elsewhere. The exit code is 1 if some could not be moved. */
export async function moveFiles({ to, quiet, ...flags }: MoveFlags, move = moveBytes): Promise<void> {
  await report(quiet, async onProgress => {
    if (!isPlace(to)) throw new CommandError(`--to must be one of ${BYTE_PLACES.join(', ')}.`);
    const settings = await ownSettings(flags);
    const summary = await move(getStoreHome(settings), {
      to,
      log: openCommandLog(settings),
      onProgress,
    });
    for (const sentence of describeProblems(summary)) process.stderr.write(`${sentence}\n`);
    if (summary.missing + summary.damaged.length > 0) process.exitCode = 1;
    const { moved, bytes } = summary;
    return `Moved ${moved.toLocaleString('en-US')} files and images to ${to}, ${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  });
}

const isPlace = (text: string): text is BytePlace => (BYTE_PLACES as readonly string[]).includes(text);

function describeProblems({ missing, damaged }: MoveSummary): string[] {
  return [
    ...(missing === 0
      ? []
      : [
          `${missing} were not found. If another kernel stores them in its data_dir, run this command there.`,
        ]),
    ...damaged.map(id => `${id} is damaged and was not moved.`),
  ];
}
