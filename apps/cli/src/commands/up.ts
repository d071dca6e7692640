/** `chat-kernel up`: starts a kernel in the background. */
import { formatUrl, renderBanner } from '@chat-kernel/server/shared';
import { type Flags, loadOwnSettings } from '@chat-kernel/settings';
import { runningKernel } from '@chat-kernel/settings/running-file';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { answers, startInBackground } from './background.ts';

/** Starts a kernel unless one runs on the same data. The exit code is 1 if none answers. */
export async function up(flags: Flags): Promise<void> {
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { data_dir, server } = settings;
  const before = runningKernel(data_dir);
  const address = formatUrl(server.host, server.port);
  if (before === undefined && server.port !== 0 && (await answers(address)))
    throw new CommandError(`A kernel with other data uses ${address}. Choose another --port.`);
  const { url, pid, version, model, demo, problems } = await startInBackground(flags, data_dir);
  const begins =
    pid === before?.pid
      ? `The kernel is already running: ${url} (process ${pid}, version ${version})\n`
      : `The kernel is running: ${url} (process ${pid})\n`;
  process.stdout.write(begins + renderBanner({ url, data_dir, model, demo, problems }));
}
