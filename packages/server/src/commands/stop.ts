/** `chat-kernel stop`: ends the kernel of a data directory as a service manager would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked } from '@chat-kernel/storage';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { isSame, runningKernel } from '../start/running-file.ts';
import { CommandError, explain } from '../start/start-failure.ts';

const POLL_MS = 50;
/** What closing takes at most, behind the grace that running turns have. */
const CLOSING_MS = 30_000;

/**
 * Resolves once the process is gone, or none was there. The exit code is 1 where one goes on, and where another process
 * than the known one has the data.
 */
export async function stop(flags: Flags): Promise<void> {
  try {
    const { settings } = await loadOwnSettings(flags);
    const { data_dir, server } = settings;
    const running = runningKernel(data_dir);
    if (running === undefined) {
      const held = isLocked(data_dir);
      process.stdout.write(held ? heldBySomebody(data_dir) : `No kernel runs on ${data_dir}.\n`);
      process.exitCode = held ? 1 : 0;
      return;
    }
    const { pid } = running;
    const grace = server.shutdown_grace_secs;
    process.stdout.write(`Stopping the kernel (process ${pid}); running turns have ${grace} s to end ...\n`);
    terminate(pid);
    const end = Date.now() + grace * 1000 + CLOSING_MS;
    while (isSame(running)) {
      if (Date.now() > end)
        throw new CommandError(`Process ${pid} goes on. kill -9 ${pid} ends it; what it told is kept.`);
      await sleep(POLL_MS);
    }
    process.stdout.write('Stopped.\n');
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM')
      throw new CommandError(`Process ${pid} belongs to another user, who alone may stop it.`);
    // It has ended by itself in between.
    if (code !== 'ESRCH') throw error;
  }
}

/** The sentence for data that are in use by a process that has not said which it is. */
export const heldBySomebody = (data_dir: string): string =>
  `A process uses ${data_dir} and does not say which: a kernel that still starts, runs in a container, or is older; or ` +
  'a backup that is put back.\n';
