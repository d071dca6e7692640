/** `chat-kernel stop`: stops the kernel of a data directory like a service manager. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Flags, loadOwnSettings } from '@chat-kernel/settings';
import { isSame, runningKernel } from '@chat-kernel/settings/running-file';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { isLocked } from '@chat-kernel/storage';

const POLL_MS = 50;
/** Limit for closing after the grace period of running turns. */
const CLOSING_MS = 30_000;

/**
 * Resolves when no kernel is running. The exit code is 1 if it is still running, or if an unknown process uses the data.
 */
export async function stop(flags: Flags): Promise<void> {
  const { settings } = await loadOwnSettings(flags);
  const { data_dir, server } = settings;
  const running = runningKernel(data_dir);
  if (running === undefined) {
    const held = isLocked(data_dir);
    process.stdout.write(held ? lockedByUnknown(data_dir) : `No server is running in ${data_dir}.\n`);
    process.exitCode = held ? 1 : 0;
    return;
  }
  const { pid } = running;
  const grace = server.shutdown_grace_secs;
  process.stdout.write(`Stopping the server (process ${pid}); running turns have ${grace} s to finish ...\n`);
  terminate(pid);
  const end = Date.now() + grace * 1000 + CLOSING_MS;
  while (isSame(running)) {
    if (Date.now() > end)
      throw new CommandError(
        `Process ${pid} is still running. To force it to stop, run \`kill -9 ${pid}\`. Acknowledged messages are kept.`,
      );
    await sleep(POLL_MS);
  }
  process.stdout.write('Stopped.\n');
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM')
      throw new CommandError(`Process ${pid} belongs to another user. Only that user can stop it.`);
    // The process has already ended.
    if (code !== 'ESRCH') throw error;
  }
}

/** Describes data that an unknown process uses. */
export const lockedByUnknown = (data_dir: string): string =>
  `An unknown process uses ${data_dir}: a server that is starting, runs in a container or is an older version, ` +
  'or a restore of a backup.\n';
