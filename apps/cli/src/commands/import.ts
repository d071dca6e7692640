/** `chat-kernel import`: imports exports of other programs and of Chat Kernel (FACE-3). */
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { conversationsIn, type Incoming, NothingToImport } from '@chat-kernel/importers';
import { ShelfName } from '@chat-kernel/protocol';
import { loadOwnSettings } from '@chat-kernel/settings';
import { runningKernel } from '@chat-kernel/settings/running-file';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { OrderedPool } from '../importing/ordered-pool.ts';
import { ImportTally } from '../importing/tally.ts';
import { type ImportTarget, intoStore, overHttp, Refused } from '../importing/target.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { ProgressLines } from './progress-lines.ts';

export interface ImportFlags extends AddressFlags {
  dryRun?: boolean;
  shelf?: string;
  quiet?: boolean;
}
/** Limits of concurrent conversations and their bytes: the kernel stores concurrent imports in one transaction. */
const POOL_LIMITS = { count: 32, size: 4 * 1024 * 1024 } as const;
/** Growth of the heap beyond live data that triggers a collection. */
const HEAP_GROWTH = '--heap-growing-percent=40';
/** Failed conversations that are named; more are only counted. */
const MAX_NAMED = 100;
const EXIT = { done: 0, someFailed: 2 } as const;

/** The exit code is 0 if all is imported, 1 if the import stopped, 2 if some conversations failed. */
export async function importFile(path: string, flags: ImportFlags): Promise<void> {
  const { dryRun = false, shelf, quiet = false, ...address } = flags;
  // Parsed data becomes garbage immediately, and would otherwise fill the heap.
  setFlagsFromString(HEAP_GROWTH);
  const lines = new ProgressLines(process.stderr, quiet);
  const tally = new ImportTally();
  const underWay = new OrderedPool(POOL_LIMITS);
  let target: ImportTarget | undefined;
  try {
    if (shelf !== undefined && !ShelfName.safeParse(shelf).success)
      throw new CommandError('--shelf must be a name of 1 to 200 characters.');
    for await (const each of conversationsIn(resolve(path))) {
      // Open the target late, so that an invalid file fails without a kernel.
      if (target === undefined) {
        target = await openTarget(address);
        lines.note(`Importing into ${target.where}.`);
      }
      const taking = { target, dryRun, shelf, tally };
      await underWay.begin(each.kind === 'chat' ? each.size : 0, async () => {
        const counted = await taken(each, taking);
        return () => {
          const reason = counted();
          if (reason !== undefined) {
            lines.end();
            if (tally.failed <= MAX_NAMED) process.stderr.write(`${conversationLabel(each)}: ${reason}\n`);
            if (tally.failed === MAX_NAMED + 1)
              process.stderr.write('More conversations failed. They are only counted.\n');
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
    throw error instanceof NothingToImport ? new CommandError(`${path}: ${error.message}`) : error;
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

/** Imports a conversation. Returns a function that counts it, and the error, if any. */
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

/** Titles are untrusted: JSON quoting escapes control characters. */
const conversationLabel = ({ index, title }: Incoming): string =>
  `conversation ${index + 1}${title === null ? '' : ` (${JSON.stringify(title)})`}`;

/**
 * Returns the kernel of --url, --host or --port, or the one running on the configured data, or else the data themselves. A
 * user who names an address means the kernel there, so other data must not be written instead.
 */
async function openTarget({ url, token, ...flags }: AddressFlags): Promise<ImportTarget> {
  const isNamed =
    [url, flags.host, flags.port].some(each => each !== undefined && each !== '0') ||
    (flags.data === undefined && Boolean(process.env.CHAT_KERNEL_URL));
  if (isNamed)
    return overHttp(await kernelAddress({ ...flags, ...(url && { url }), ...(token && { token }) }));
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const running = runningKernel(settings.data_dir);
  if (running === undefined) return await intoStore(settings);
  if (running.url === null) throw new CommandError('The kernel is starting. Try again in a moment.');
  return overHttp({ url: running.url, token: token ?? (process.env.CHAT_KERNEL_TOKEN || undefined) });
}
