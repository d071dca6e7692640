/** `chat-kernel serve`: a process from start to signal. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { loadOwnSettings } from './settings/load.ts';
import type { Flags } from './settings/overrides.ts';
import { secretsOf } from './settings/secrets.ts';
import { keepCompiled } from './start/keep-compiled.ts';
import { openLog } from './start/log.ts';
import { explain } from './start/start-failure.ts';

const WARM_UP_AFTER_MS = 50;
/** The share by which the heap may grow beyond what is alive before it is collected (docs/decisions/0018). */
const HEAP_GROWTH = '--heap-growing-percent=40';

/** Resolves when the server takes requests. Ends the process itself: 0 after a signal, 1 where it can't start. */
export async function serve(flags: Flags): Promise<void> {
  try {
    setFlagsFromString(HEAP_GROWTH);
    const { settings, file, places, warnings } = await loadOwnSettings(flags);
    const log = openLog(settings.log.level, secretsOf(settings, process.env));
    for (const warning of warnings) log.warn({ file }, warning);
    keepCompiled(settings);
    // Loaded here, when it is known where compiled code is kept.
    const { startServer } = await import('./compose.ts');
    const server = await startServer(settings, {
      log,
      settingsPlaces: places,
      buildWeb: process.env.npm_lifecycle_event === 'start',
    });

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
    process.stdout.write(`chat-kernel listening on ${server.url}\n`);
    // What waits for the kernel comes first. Kept at once, for a kernel that is killed keeps nothing.
    setTimeout(() => server.warmUp().then(flushCompileCache), WARM_UP_AFTER_MS).unref();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
