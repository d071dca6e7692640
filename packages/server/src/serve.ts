/** `chat-kernel serve`: a process from start to signal. */
import { flushCompileCache } from 'node:module';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../package.json' with { type: 'json' };
import { loadOwnSettings } from './settings/load.ts';
import type { Flags } from './settings/overrides.ts';
import { secretsOf } from './settings/secrets.ts';
import { isStderr } from './start/bounded-log.ts';
import { keepCompiled } from './start/keep-compiled.ts';
import { openLog } from './start/log.ts';
import { logDestination } from './start/log-destination.ts';
import { logOf, removeRunning, writeRunning } from './start/running-file.ts';
import { explain } from './start/start-failure.ts';
import { wordsOfStart } from './start/words.ts';

const WARM_UP_AFTER_MS = 50;
/** The share by which the heap may grow beyond what is alive before it is collected (docs/decisions/0018). */
const HEAP_GROWTH = '--heap-growing-percent=40';

/** Resolves when the server takes requests. Ends the process itself: 0 after a signal, 1 where it can't start. */
export async function serve(flags: Flags): Promise<void> {
  try {
    setFlagsFromString(HEAP_GROWTH);
    const { settings, file, places, warnings } = await loadOwnSettings(flags);
    const { data_dir } = settings;
    const log = openLog(settings.log.level, secretsOf(settings, process.env), logDestination(data_dir));
    for (const warning of warnings) log.warn({ file }, warning);
    keepCompiled(settings);
    const facts = { version: packageJson.version, logs_here: isStderr(logOf(data_dir)) };
    // Loaded here, when it is known where compiled code is kept.
    const { startServer } = await import('./compose.ts');
    const server = await startServer(settings, {
      log,
      settingsPlaces: places,
      buildWeb: process.env.npm_lifecycle_event === 'start',
      onOwned: () => {
        writeRunning(data_dir, { ...facts, url: null, model: null, demo: false });
        return () => removeRunning(data_dir);
      },
    });
    const { url, model, demo } = server;
    writeRunning(data_dir, { ...facts, url, model, demo });

    let stopping = false;
    const onSignal = async (signal: NodeJS.Signals) => {
      // A second signal means that its sender does not want to wait.
      if (stopping) process.exit(1);
      stopping = true;
      log.info({ signal }, 'stopping');
      await server.stop();
      log.info({}, 'stopped');
      process.exit(0);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.stdout.write(`chat-kernel listening on ${url}\n`);
    // For somebody who looks: programs that start the kernel read the one line.
    if (isatty(1)) process.stdout.write(wordsOfStart({ url, data_dir, model, demo }));
    // What waits for the kernel comes first. Kept at once, for a kernel that is killed keeps nothing.
    setTimeout(() => server.warmUp().then(flushCompileCache), WARM_UP_AFTER_MS).unref();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
