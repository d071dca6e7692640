/** `chat-kernel status`: prints whether a kernel runs on a data directory. */
import { modelLines } from '@chat-kernel/server/shared';
import { type Flags, loadOwnSettings } from '@chat-kernel/settings';
import { logFilePath, type RunningKernel, runningKernel } from '@chat-kernel/settings/running-file';
import { isLocked } from '@chat-kernel/storage';
import { answers } from './background.ts';
import { lockedByUnknown } from './stop.ts';

export interface StatusFlags extends Flags {
  json?: boolean;
}
/** Exit codes of service managers; 4 means "unknown". */
const EXIT = { runs: 0, stopped: 3, silent: 4 } as const;

/** The exit code is 0 if a kernel answers, 3 if none runs, 4 if it does not answer. */
export async function status({ json, ...flags }: StatusFlags): Promise<void> {
  const { settings } = await loadOwnSettings(flags);
  const { data_dir } = settings;
  const running = runningKernel(data_dir);
  const ready = running?.url != null && (await answers(running.url));
  const held = running === undefined && isLocked(data_dir);
  process.exitCode = ready ? EXIT.runs : running || held ? EXIT.silent : EXIT.stopped;
  if (json) {
    const { beginning: _, logs_here, ...facts } = running ?? { logs_here: false };
    const log = logs_here ? logFilePath(data_dir) : null;
    process.stdout.write(
      `${JSON.stringify({ running: running !== undefined || held, ready, data_dir, log, ...facts })}\n`,
    );
  } else if (running) process.stdout.write(formatStatus(running, { ready, data_dir }));
  else process.stdout.write(held ? lockedByUnknown(data_dir) : `No server is running in ${data_dir}.\n`);
}

function formatStatus(
  running: RunningKernel,
  { ready, data_dir }: { ready: boolean; data_dir: string },
): string {
  const { pid, version, since, url, logs_here } = running;
  const state = ready ? 'is running' : url === null ? 'is starting' : 'is running but does not answer';
  return [
    `The kernel ${state}${url === null ? '' : `: ${url}`} (process ${pid}, version ${version}, since ${since})`,
    ...(url === null ? [] : modelLines(running)),
    `  data   ${data_dir}`,
    `  log    ${logs_here ? logFilePath(data_dir) : 'printed by the terminal or service that started it'}`,
    '',
  ].join('\n');
}
