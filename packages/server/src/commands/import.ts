/** `chat-kernel import`: conversations of other programs, and our own exports, into the kernel (FACE-3). */
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { conversationsIn, type Incoming, NothingToImport } from '@chat-kernel/importers';
import { ShelfName } from '@chat-kernel/protocol';
import { ImportTally } from '../importing/tally.ts';
import { type ImportTarget, intoStore, overHttp, Refused } from '../importing/target.ts';
import { UnderWay } from '../importing/under-way.ts';
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
/** Conversations that the kernel has at once, and their bytes: it stores together what comes together. */
const AT_ONCE = { count: 32, size: 4 * 1024 * 1024 } as const;
/** The share by which the heap may grow beyond what is alive before it is collected. */
const HEAP_GROWTH = '--heap-growing-percent=40';
const EXIT = { done: 0, brokeOff: 1, someFailed: 2 } as const;

/** The exit code is 0 where all is there, 1 where the import broke off, 2 where some conversations could not come. */
export async function importFile(path: string, flags: ImportFlags): Promise<void> {
  const { dryRun = false, shelf, quiet = false, ...address } = flags;
  // What is read is waste right away, and would fill the memory that a kernel may have.
  setFlagsFromString(HEAP_GROWTH);
  const lines = new ProgressLines(process.stderr, quiet);
  const tally = new ImportTally();
  const underWay = new UnderWay(AT_ONCE);
  let target: ImportTarget | undefined;
  try {
    if (shelf !== undefined && !ShelfName.safeParse(shelf).success)
      throw new CommandError('--shelf is a name of 1 to 200 characters.');
    for await (const each of conversationsIn(resolve(path))) {
      // Opened late: a file that is none should not need a kernel to say so.
      target ??= await targetOf(address);
      const taking = { target, dryRun, shelf, tally };
      await underWay.begin(each.kind === 'chat' ? each.size : 0, async () => {
        const counted = await taken(each, taking);
        return () => {
          const reason = counted();
          if (reason !== undefined) {
            lines.end();
            process.stderr.write(`${nameOf(each)}: ${reason}\n`);
          }
          lines.show({ doing: 'conversations', done: tally.seen, total: tally.seen });
        };
      });
    }
    await underWay.end();
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
    await underWay.settled();
    await target?.close();
  }
}

interface Taking {
  target: ImportTarget;
  dryRun: boolean;
  shelf: string | undefined;
  tally: ImportTally;
}

/** Imports a conversation. Returns what counts it, and says why it could not be imported; undefined where it could. */
async function taken(
  each: Incoming,
  { target, dryRun, shelf, tally }: Taking,
): Promise<() => string | undefined> {
  const failed = (reason: string) => () => {
    tally.countFailed();
    return reason;
  };
  if (each.kind === 'empty') return () => void tally.countEmpty();
  if (each.kind === 'broken') return failed(each.reason);
  try {
    const chat = shelf === undefined ? each.chat : { ...each.chat, shelf };
    const imported = await target.add(chat, dryRun);
    return () => void tally.count(each, imported);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return failed(error.message);
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
