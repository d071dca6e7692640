/** `chat-kernel status`: whether a kernel runs on a data directory. */
import { isLocked } from '@chat-kernel/storage';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { logOf, type RunningKernel, runningKernel } from '../start/running-file.ts';
import { explain } from '../start/start-failure.ts';
import { modelLines } from '../start/words.ts';
import { answers } from './background.ts';
import { heldBySomebody } from './stop.ts';

export interface StatusFlags extends Flags {
  json?: boolean;
}
/** As service managers have them; 4 is "not known". */
const EXIT = { runs: 0, failed: 1, stopped: 3, silent: 4 } as const;

/** The exit code is 0 where one answers, 3 where none runs, 4 where one runs that does not answer. */
export async function status({ json, ...flags }: StatusFlags): Promise<void> {
  try {
    const { settings } = await loadOwnSettings(flags);
    const { data_dir } = settings;
    const running = runningKernel(data_dir);
    const ready = running?.url != null && (await answers(running.url));
    const held = running === undefined && isLocked(data_dir);
    process.exitCode = ready ? EXIT.runs : running || held ? EXIT.silent : EXIT.stopped;
    if (json) {
      const { beginning: _, logs_here, ...facts } = running ?? { logs_here: false };
      const log = logs_here ? logOf(data_dir) : null;
      process.stdout.write(
        `${JSON.stringify({ running: running !== undefined || held, ready, data_dir, log, ...facts })}\n`,
      );
    } else if (running) process.stdout.write(linesOf(running, { ready, data_dir }));
    else process.stdout.write(held ? heldBySomebody(data_dir) : `No kernel runs on ${data_dir}.\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = EXIT.failed;
  }
}

function linesOf(running: RunningKernel, { ready, data_dir }: { ready: boolean; data_dir: string }): string {
  const { pid, version, since, url, logs_here } = running;
  const state = ready ? 'runs' : url === null ? 'starts' : 'runs, and does not answer';
  return [
    `The kernel ${state}${url === null ? '' : `: ${url}`} (process ${pid}, version ${version}, since ${since})`,
    ...(url === null ? [] : modelLines(running)),
    `  data   ${data_dir}`,
    `  log    ${logs_here ? logOf(data_dir) : 'where it was started: its terminal, or the journal of its service'}`,
    '',
  ].join('\n');
}
