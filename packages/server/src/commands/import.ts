/** `chat-kernel import`: conversations of other programs, and our own exports, into the kernel (FACE-3). */
import { resolve } from 'node:path';
import { conversationsIn, type Incoming, NothingToImport } from '@chat-kernel/importers';
import { ShelfName } from '@chat-kernel/protocol';
import { ImportTally } from '../importing/tally.ts';
import { type ImportTarget, intoStore, overHttp, Refused } from '../importing/target.ts';
import { loadOwnSettings } from '../settings/load.ts';
import { runningKernel } from '../start/running-file.ts';
import { CommandError, explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { ProgressLines } from './progress-lines.ts';

export interface ImportFlags extends AddressFlags {
  dryRun?: boolean;
  shelf?: string;
  quiet?: boolean;
}
const EXIT = { done: 0, brokeOff: 1, someFailed: 2 } as const;

/** The exit code is 0 where all is there, 1 where the import broke off, 2 where some conversations could not come. */
export async function importFile(path: string, flags: ImportFlags): Promise<void> {
  const { dryRun = false, shelf, quiet = false, ...address } = flags;
  const lines = new ProgressLines(process.stderr, quiet);
  const tally = new ImportTally();
  let target: ImportTarget | undefined;
  try {
    if (shelf !== undefined && !ShelfName.safeParse(shelf).success)
      throw new CommandError('--shelf is a name of 1 to 200 characters.');
    for await (const each of conversationsIn(resolve(path))) {
      // Opened late: a file that is none should not need a kernel to say so.
      target ??= await targetOf(address);
      const reason = await taken(each, { target, dryRun, shelf, tally });
      if (reason !== undefined) {
        lines.end();
        process.stderr.write(`${nameOf(each)}: ${reason}\n`);
      }
      lines.show({ doing: 'conversations', done: tally.seen, total: tally.seen });
    }
    lines.end();
    process.stdout.write(tally.words(dryRun));
    process.exitCode = tally.failed > 0 ? EXIT.someFailed : EXIT.done;
  } catch (error) {
    lines.end();
    if (tally.seen > 0) process.stdout.write(tally.words(dryRun));
    const sentence =
      error instanceof NothingToImport ? `chat-kernel: ${path}: ${error.message}` : explain(error);
    process.stderr.write(`${sentence}\n`);
    process.exitCode = EXIT.brokeOff;
  } finally {
    await target?.close();
  }
}

interface Taking {
  target: ImportTarget;
  dryRun: boolean;
  shelf: string | undefined;
  tally: ImportTally;
}

/** Returns why a conversation could not be imported; undefined where nothing is wrong with it. */
async function taken(each: Incoming, { target, dryRun, shelf, tally }: Taking): Promise<string | undefined> {
  if (each.kind === 'empty') {
    tally.countEmpty();
    return undefined;
  }
  if (each.kind === 'broken') {
    tally.countFailed();
    return each.reason;
  }
  try {
    const chat = shelf === undefined ? each.chat : { ...each.chat, shelf };
    tally.count(each, await target.add(chat, dryRun));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tally.countFailed();
    return error.message;
  }
}

/** Titles come from elsewhere: in quotes, nothing in them can act on the terminal. */
const nameOf = ({ index, title }: Incoming): string =>
  `conversation ${index + 1}${title === null ? '' : ` (${JSON.stringify(title)})`}`;

/** The kernel that is named, else the one that runs on the data of the settings, else these data themselves. */
async function targetOf({ url, token, ...flags }: AddressFlags): Promise<ImportTarget> {
  const isNamed = url !== undefined || (flags.data === undefined && Boolean(process.env.CHAT_KERNEL_URL));
  if (isNamed)
    return overHttp(await kernelAddress({ ...flags, ...(url && { url }), ...(token && { token }) }));
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const running = runningKernel(settings.data_dir);
  if (running === undefined) return await intoStore(settings);
  if (running.url === null)
    throw new CommandError('The kernel is just starting: call this again in a moment.');
  return overHttp({ url: running.url, token: token ?? (process.env.CHAT_KERNEL_TOKEN || undefined) });
}
