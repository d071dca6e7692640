/** Runs `chat-kernel serve`: a process from its start to a signal. */
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import type { Settings } from '@chat-kernel/protocol';
import { collectSecrets, type Flags, loadOwnSettings, showsSecrets } from '@chat-kernel/settings';
import {
  logFilePath,
  type RunningKernel,
  removeRunning,
  writeRunning,
} from '@chat-kernel/settings/running-file';
import { explain } from '@chat-kernel/settings/start-failure';
import packageJson from '../package.json' with { type: 'json' };
import { renderBanner } from './start/banner.ts';
import { isStderr, logDestination, openLog } from './start/log.ts';

/** When compiled code is written for the next start: that of the start, and that of the first turns. */
const WRITE_COMPILED_AFTER_MS = [50, 60_000];
/** The percentage by which the heap may grow beyond live objects before a collection (docs/decisions/0018). */
const HEAP_GROWTH = '--heap-growing-percent=40';

/** Resolves when the server accepts requests. Ends the process itself: 0 after a signal, 1 if it cannot start. */
export async function serve(flags: Flags): Promise<void> {
  try {
    setFlagsFromString(HEAP_GROWTH);
    const { settings, file, places, warnings } = await loadOwnSettings(flags);
    const { data_dir } = settings;
    const log = openLog(settings.log.level, collectSecrets(settings, process.env), logDestination(data_dir));
    for (const warning of warnings) log.warn({ file }, warning);
    if (file !== null && (await showsSecrets(file, settings)))
      log.warn({ file }, `other users can read the secrets in the settings file: run chmod 600 ${file}`);
    keepCompiled(settings);
    const facts = { version: packageJson.version, logs_here: isStderr(logFilePath(data_dir)) };
    const noteRunning = (kernel: Pick<RunningKernel, 'url' | 'model' | 'demo' | 'problems'>) => {
      try {
        writeRunning(data_dir, { ...facts, ...kernel });
      } catch (error) {
        // A full disk must not stop the kernel: users still need it to read and delete chats.
        log.warn({ err: error }, 'Writing the file by which other commands find this kernel failed.');
      }
    };
    // Loaded here, after the folder for compiled code is known.
    const { startServer } = await import('./compose.ts');
    const server = await startServer(settings, {
      log,
      settingsPlaces: places,
      buildWeb: process.env.npm_lifecycle_event === 'start',
      onOwned: () => {
        noteRunning({ url: null, model: null, demo: false, problems: [] });
        return () => removeRunning(data_dir);
      },
    });
    const { url, model, demo, problems } = server;
    noteRunning({ url, model, demo, problems });

    let stopping = false;
    const onSignal = async (signal: NodeJS.Signals) => {
      // A second signal means that the sender does not want to wait.
      if (stopping) process.exit(1);
      stopping = true;
      log.info({ signal }, 'stopping');
      await server.stop();
      log.info({}, 'stopped');
      process.exit(0);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.stdout.write(`chat-kernel listening on ${url}\n`);
    // For people: programs that start the kernel read a single line.
    if (isatty(1)) process.stdout.write(renderBanner({ url, data_dir, model, demo, problems }));
    // Pending clients come first. A killed kernel writes nothing.
    for (const ms of WRITE_COMPILED_AFTER_MS) setTimeout(flushCompileCache, ms).unref();
    void server.reportSandbox();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/**
 * Keeps compiled code for the next start in data_dir, if the program's own folder cannot be written: bin/compiled-folder.js
 * has found no folder then.
 */
export function keepCompiled({ data_dir }: Settings): void {
  if (getCompileCacheDir() !== undefined) return;
  const folder = join(data_dir, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // The store opens the same folder next, and reports the error.
    return;
  }
  enableCompileCache(folder);
}
