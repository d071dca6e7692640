/** Composes the server: opens the parts in `start/` from the bottom up, and stops them from the top down. */
import { OpenFeatures } from '@chat-kernel/features';
import type { Sandbox } from '@chat-kernel/hands/own-machine';
import { type Clock, type Log, systemClock } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import {
  checkSettings,
  collectSecrets,
  type EnvironmentVariables,
  effective,
  SettingsError,
} from '@chat-kernel/settings';
import packageJson from '../package.json' with { type: 'json' };
import { formatUrl } from './http/url.ts';
import { watchLoop } from './metrics/loop-watch.ts';
import { reportUnread } from './metrics/unread.ts';
import { openKernelOn } from './start/kernel.ts';
import { listen } from './start/listen.ts';
import { openLocalMachine } from './start/local-machine.ts';
import { StopStack } from './start/stop-stack.ts';
import { openWatchedStore } from './start/store.ts';
import { sweepScratch } from './start/sweep-scratch.ts';
import { openTools } from './start/tools.ts';

const { version } = packageJson;

export interface RunningServer {
  /** `http://<host>:<port>`, with the actual port. */
  url: string;
  /** The model of turns that name none; null if there is no model. */
  model: string | null;
  /** Whether that is the built-in demo model. */
  demo: boolean;
  /** The providers that cannot be used, one sentence each. */
  problems: string[];
  /** Logs how commands run. The check starts programs. */
  reportSandbox(): Promise<void>;
  /** Gives running turns `server.shutdown_grace_secs`, then closes everything. Never rejects; may be called twice. */
  stop(): Promise<void>;
}
interface StartOptions {
  log: Log;
  /** Absolute paths of settings files and folders, whether they exist or not: tools may not access them (WHO-7). */
  settingsPlaces?: readonly string[];
  clock?: Clock;
  environment?: EnvironmentVariables;
  /** Builds the web client at the start, not when a browser first opens it. */
  buildWeb?: boolean;
  /**
   * Called once this process has locked the data directory; the returned function is called before the lock is
   * released.
   */
  onOwned?: () => () => void;
}

/**
 * Starts a server, which accepts requests when the promise resolves. On failure, everything that was opened is closed.
 * @throws SettingsError
 */
export async function startServer(settings: Settings, options: StartOptions): Promise<RunningServer> {
  const wrong = checkSettings(settings);
  if (wrong.length > 0)
    throw new SettingsError(wrong.map(({ path, sentence }) => `${path.join('.')}: ${sentence}`));
  const stops = new StopStack(options.log);
  try {
    return { ...(await compose(settings, options, stops)), stop: () => stops.stopAll() };
  } catch (error) {
    await stops.stopAll();
    throw error;
  }
}

async function compose(
  settings: Settings,
  {
    log,
    settingsPlaces = [],
    clock: own = systemClock,
    environment = process.env,
    buildWeb = false,
    onOwned,
  }: StartOptions,
  stops: StopStack,
): Promise<Omit<RunningServer, 'stop'>> {
  const { server } = settings;
  const given = { settings, environment, log, secrets: collectSecrets(settings, environment) };
  const features = new OpenFeatures();
  const storeDeps = { ...given, version, counters: features.counters(), onLocked: onOwned, clock: own };
  const watched = await openWatchedStore(storeDeps, stops);
  const { store, clock, metrics, telemetry } = watched;
  const onUnread = reportUnread(metrics, log);
  const { llm, titles, voice } = settings;
  const modelDeps = { ...given, llm, titleModel: titles.model, voice, env: environment, clock, onUnread };
  const models = telemetry.models(await openModels(modelDeps));
  const local = await openLocalMachine({ ...given, settingsPlaces });
  const { sandbox, folders } = local;
  const stopped = new AbortController();
  const sweep = sweepScratch(folders.paths, store, { log, signal: stopped.signal });
  stops.push(() => {
    stopped.abort();
    return sweep;
  });
  const builtin = [...local.tools, ...features.tools(folders)];
  const toolDeps = { ...given, store, clock, models, onUnread, sandbox, builtin, groups: features.groups() };
  const opened = await openTools(toolDeps, stops);
  // Tools and stages of modules must be known before the first turn continues, but a free port is known only after
  // listening.
  const isPortKnown = server.port !== 0;
  if (isPortKnown) await opened.start(formatUrl(server.host, server.port), version);
  const kernel = await openKernelOn({ ...given, watched, models, local, opened, features });

  const shown = effective(settings, models.found);
  const appDeps = { kernel, features, settings: shown, log, metrics, telemetry, version };
  const { url, web } = await listen(appDeps, stops);
  // Do not report the startup as a block: the server had no clients yet.
  stops.push(watchLoop(log, () => metrics.countLoopBlock()));
  if (!isPortKnown) await opened.start(url, version);
  if (buildWeb) void web.prepare();
  const { default_model: model } = models.list();
  const provider = model?.slice(0, model.indexOf('/')) ?? '';
  return {
    url,
    model,
    demo: shown.llm.providers[provider]?.kind === 'demo',
    problems: models.problems.map(({ sentence }) => sentence),
    reportSandbox: () => reportSandbox(sandbox, settings, log),
  };
}

/** Logs how commands run. A missing sandbox is a warning, unless the settings ask for none. */
async function reportSandbox(sandbox: Sandbox, { tools }: Settings, log: Log): Promise<void> {
  const kind = await sandbox.kind();
  if (kind === 'none' && tools.shell.sandbox !== 'none') {
    log.warn({ sandbox: kind, problem: await sandbox.problem() }, 'commands of models run without a sandbox');
  } else log.info({ sandbox: kind }, 'sandbox of commands');
}
