/** Composes the server: opens the parts in `start/` from the bottom up, and stops them from the top down. */
import type { AddressInfo } from 'node:net';
import { OpenFeatures } from '@chat-kernel/features';
import type { Sandbox } from '@chat-kernel/hands/own-machine';
import { type Clock, type Log, openKernel, systemClock } from '@chat-kernel/kernel';
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
import { openApp } from './app.ts';
import { Gateway } from './fleet/gateway.ts';
import { isAliveFrom } from './fleet/is-alive.ts';
import { callRemoteKernel } from './fleet/remote-call.ts';
import { formatUrl } from './http/url.ts';
import { watchLoop } from './metrics/loop-watch.ts';
import { reportUnread } from './metrics/unread.ts';
import { StopStack } from './start/context.ts';
import { openLocalMachine, sweepScratch } from './start/local-machine.ts';
import { openWatchedStore } from './start/store.ts';
import { openTools } from './start/tools.ts';
import { WebClient } from './web/web-client.ts';

const { version } = packageJson;
/** Longest delay of a stop by a stream that is read slowly, after its turn has ended. */
const LAST_READERS_MS = 1000;

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
    clock: localClock = systemClock,
    environment = process.env,
    buildWeb = false,
    onOwned,
  }: StartOptions,
  stops: StopStack,
): Promise<Omit<RunningServer, 'stop'>> {
  const { server, llm, titles, voice } = settings;
  const secrets = collectSecrets(settings, environment);
  const locally = { settings, environment, log, secrets, clock: localClock, stops };
  const features = new OpenFeatures();
  const counters = features.counters();
  const opened = await openWatchedStore(locally, { version, counters, onLocked: onOwned });
  const { id, store, clock, journal, database, watch, metrics, telemetry } = opened;
  const context = { ...locally, clock };
  const onUnread = reportUnread(metrics, log);
  const modelDeps = { llm, titleModel: titles.model, voice, env: environment, secrets, log, clock, onUnread };
  const models = telemetry.models(await openModels(modelDeps));
  const { machine, undo, sandbox, folders, ...local } = await openLocalMachine(context, settingsPlaces);
  const stopped = new AbortController();
  const sweep = sweepScratch(folders.paths, store, { log, signal: stopped.signal });
  stops.push(() => {
    stopped.abort();
    return sweep;
  });
  const builtin = [...local.tools, ...features.tools(folders)];
  const toolDeps = { store, models, onUnread, sandbox, builtin, groups: features.groups() };
  const { start: startExtensions, ...tools } = await openTools(context, toolDeps);
  // Tools and stages of modules must be known before the first turn continues, but a free port is known only after
  // listening.
  const isPortKnown = server.port !== 0;
  if (isPortKnown) await startExtensions(formatUrl(server.host, server.port), version);
  const signer = store.fleet && { id: store.fleet.id, secret: store.fleet.secret, now: () => clock.now() };
  const kernel = await openKernel({
    ...context,
    ...tools,
    id,
    store,
    journal,
    models,
    callElsewhere: callRemoteKernel(signer, metrics),
    isAlive: signer ? isAliveFrom(signer) : undefined,
    machine,
    undo,
    openFeatures: host =>
      features.open({ ...host, settings, environment, voiceModels: models.voice }, folders, database, watch),
    observer: telemetry.observer,
  });

  const shown = effective(settings, models.found);
  const web = new WebClient(log);
  stops.push(async () => web.stop());
  const others = Gateway.of(kernel, { log, metrics, telemetry });
  const app = await openApp({ kernel, features, settings: shown, log, metrics, version, web, others });
  stops.push(() => {
    const force = setTimeout(() => app.server.closeAllConnections(), LAST_READERS_MS);
    return app.close().finally(() => clearTimeout(force));
  });
  // While turns end in their grace time, reads are still answered and new turns refused.
  stops.push(() => kernel.shutdown(server.shutdown_grace_secs));
  await app.listen({ host: server.host, port: server.port });
  const { address, port } = app.server.address() as AddressInfo;
  const url = formatUrl(server.host === 'localhost' ? 'localhost' : address, port);
  // Do not report the startup as a block: the server had no clients yet.
  stops.push(watchLoop(log, () => metrics.countLoopBlock()));
  if (!isPortKnown) await startExtensions(url, version);
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
