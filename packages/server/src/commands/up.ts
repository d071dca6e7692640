/** `chat-kernel up`: a kernel in the background. */

import { urlOf } from '../http/url.ts';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { runningKernel } from '../start/running-file.ts';
import { CommandError, explain } from '../start/start-failure.ts';
import { wordsOfStart } from '../start/words.ts';
import { answers, startInBackground } from './background.ts';

/** Starts a kernel unless one runs on the same data. The exit code is 1 where none answers in the end. */
export async function up(flags: Flags): Promise<void> {
  try {
    const { settings, warnings } = await loadOwnSettings(flags);
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    const { data_dir, server } = settings;
    const before = runningKernel(data_dir);
    const address = urlOf(server.host, server.port);
    if (before === undefined && server.port !== 0 && (await answers(address)))
      throw new CommandError(`A kernel with other data answers at ${address}: choose another --port.`);
    const { url, pid, version, model, demo } = await startInBackground(flags, data_dir);
    const begins =
      pid === before?.pid
        ? `The kernel runs already: ${url} (process ${pid}, version ${version})\n`
        : `The kernel runs: ${url} (process ${pid})\n`;
    process.stdout.write(begins + wordsOfStart({ url, data_dir, model, demo }));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
