/** `chat-kernel files move`: brings the bytes of files and images to one place. */
import { BYTE_PLACES, type BytePlace } from '@chat-kernel/protocol';
import { type MoveSummary, moveBytes } from '@chat-kernel/storage';
import type { Flags } from '../settings/overrides.ts';
import { CommandError } from '../start/start-failure.ts';
import { homeOf, logOf, ownSettings, report } from './long-command.ts';

export interface MoveFlags extends Flags {
  to: string;
  quiet?: boolean | undefined;
}

/** Moves all that does not lie there yet. The exit code is 1 where something stays behind. */
export async function moveFiles({ to, quiet, ...flags }: MoveFlags): Promise<void> {
  await report(quiet, async onProgress => {
    if (!isPlace(to)) throw new CommandError(`--to: expected one of ${BYTE_PLACES.join(', ')}.`);
    const settings = await ownSettings(flags);
    const summary = await moveBytes(homeOf(settings), { to, log: logOf(settings), onProgress });
    for (const sentence of problemsOf(summary)) process.stderr.write(`${sentence}\n`);
    if (summary.missing + summary.damaged.length > 0) process.exitCode = 1;
    const { moved, bytes } = summary;
    return `${moved.toLocaleString('en-US')} files and images moved to ${to}, ${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  });
}

const isPlace = (text: string): text is BytePlace => (BYTE_PLACES as readonly string[]).includes(text);

function problemsOf({ missing, damaged }: MoveSummary): string[] {
  return [
    ...(missing === 0
      ? []
      : [`${missing} were not found: where another kernel has them in its data_dir, run this there.`]),
    ...damaged.map(id => `${id} is not what was once stored, and stays where it is.`),
  ];
}
