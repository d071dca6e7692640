/** Composition: the only file that knows every package. Opens from the bottom up, stops from the top down. */
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openPush } from '@chat-kernel/extensions';
import { type Clock, type Log, openKernel, orderIdsBy, SharedClock, systemClock } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { filesDirectory, openJournal, openPushKey, openStore, pushKeyIn } from '@chat-kernel/storage';
import {
  builtinTools,
  FolderSkills,
  GROUPS,
  MachinePaths,
  OwnUndo,
  ownMachine,
  Sandbox,
} from '@chat-kernel/tools';
import packageJson from '../package.json' with { type: 'json' };
import { openApp } from './app.ts';
import { callElsewhere } from './fleet/call-elsewhere.ts';
import { Gateway } from './fleet/gateway.ts';
import { urlOf } from './http/url.ts';
import { LoopWatch } from './metrics/loop-watch.ts';
import { Metrics } from './metrics/metrics.ts';
import { bytesSetting } from './settings/bytes.ts';
import { checkSettings } from './settings/check.ts';
import { effective } from './settings/effective.ts';
import type { EnvironmentVariables } from './settings/overrides.ts';
import { secretsOf } from './settings/secrets.ts';
import { SettingsError } from './settings/settings-error.ts';
import { readableSkills, skillPlaces } from './settings/skill-places.ts';
import { checkToolSettings } from './start/check-tools.ts';
import { openExtensions } from './start/extensions.ts';
import { StopStack } from './start/stop-stack.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { WebClient } from './web/web-client.ts';

export interface RunningServer {
  /** `http://<host>:<port>`, with the port that was really taken. */
  url: string;
  /** The model of turns that name none; null: there is none. */
  model: string | null;
  /** Whether that is the built-in demo model. */
  demo: boolean;
  /** Runs a turn in memory (`warm-up.ts`), unless somebody asks for work first; then looks for a sandbox. Never rejects. */
  warmUp(): Promise<void>;
  /** Gives running turns `server.shutdown_grace_secs`, then closes all. Never rejects; may be called twice. */
  stop(): Promise<void>;
}
interface StartOptions {
  log: Log;
  /** Absolute paths of files and folders that settings are read from, there or not: no tool may touch them (WHO-7). */
  settingsPlaces?: readonly string[];
  clock?: Clock;
  environment?: EnvironmentVariables;
  /** Builds the web client at once, and not when somebody first opens it. */
  buildWeb?: boolean;
  /** Called once no other kernel can have the data directory; what it returns is called before one can again. */
  onOwned?: () => () => void;
}

/** Longest delay of a stop by a stream that is read slowly, once its turn has ended. */
const LAST_READERS_MS = 1000;

/** This kernel, as others on its database see it; undefined: it shares it with none. */
function sharingKernel({ advertise_url: url, name }: Settings['server'], version: string, own: Clock) {
  if (url === null) return undefined;
  const clock = new SharedClock(own);
  orderIdsBy(clock.now);
  return { clock, kernel: { url, name: name ?? hostname(), version, follow: clock.follow.bind(clock) } };
}

/**
 * Starts a server, which takes requests when the promise resolves. On a failure everything opened before is closed.
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
  const { server, data_dir, database, llm, titles, requests, voice } = settings;
  const { version } = packageJson;
  const sharing = sharingKernel(server, version, own);
  // Among kernels the clock of the database counts.
  const clock = sharing?.clock ?? own;
  const secrets = secretsOf(settings, environment);
  const metrics = new Metrics();
  stops.push(() => metrics.stop());
  const loop = new LoopWatch(log, () => metrics.countLoopBlock());
  stops.push(() => loop.stop());
  const opened = await openStore({
    data_dir,
    url: database.url,
    bytes: bytesSetting(settings, environment),
    kernel: sharing?.kernel,
    log,
    clock,
  });
  stops.push(() => opened.close());
  const id = opened.fleet?.id ?? randomUUID();
  const telemetry = await openTelemetry(settings.telemetry, {
    version,
    id,
    database: database.url === null ? 'sqlite' : 'postgresql',
    log,
    clock,
  });
  stops.push(() => telemetry.stop());
  const store = telemetry.store(loop.watchStore(metrics.countWrites(opened)));
  if (onOwned) stops.push(onOwned());
  // The lock of the store holds for this file, too.
  const journal = openJournal(data_dir, { alone: database.url === null });
  const found = await openModels({
    llm,
    titleModel: titles.model,
    voice,
    env: environment,
    secrets,
    clock,
    log,
  });
  const models = telemetry.models(loop.watchModels(found));

  const places = skillPlaces(settings);
  const readable = [filesDirectory(await realpath(data_dir)), ...readableSkills(places)];
  const paths = new MachinePaths([data_dir, ...settingsPlaces], readable);
  const skills = new FolderSkills({ places, paths });
  const { shell } = settings.tools;
  const { question_timeout_secs } = requests;
  const sandbox = new Sandbox(shell, paths);
  const directory = join(data_dir, 'undo');
  const undo = new OwnUndo({ directory, limits: settings.tools.undo, rules: { paths, sandbox }, log });
  const builtin = builtinTools({ paths, sandbox, shell, environment, undo, question_timeout_secs });
  const reserved = new Set(builtin.map(({ name }) => name));
  const brought = await openExtensions({ settings, store, clock, log, environment, secrets, reserved });
  stops.push(() => brought.stop());
  const tools = [...builtin, ...brought.tools];
  await checkToolSettings(settings.tools, { tools, prefixes: brought.prefixes, sandbox });

  // Tools and stages of modules have to be known before the first turn goes on; but a free port is known only when
  // taken.
  const isPortKnown = server.port !== 0;
  if (isPortKnown) await brought.start(urlOf(server.host, server.port), version);
  const { extensions } = brought;
  const groups = [...GROUPS, ...brought.groups];
  const machine = ownMachine(paths);
  const push = openPush({
    settings,
    environment,
    key: () => (store.fleet ? pushKeyIn(store.fleet.pushKey) : openPushKey(data_dir)),
  });
  const kernel = await openKernel({
    id,
    store,
    journal,
    models,
    voice: models.voice,
    tools,
    groups,
    extensions,
    callElsewhere: callElsewhere(store.fleet, { metrics, tracing: telemetry.tracing }),
    machine,
    undo,
    skills,
    push,
    tracing: telemetry.tracing,
    clock,
    log,
    settings,
    secrets,
  });

  const shown = effective(settings, models.found);
  const web = new WebClient(log);
  stops.push(async () => web.stop());
  const app = await openApp({
    kernel,
    settings: shown,
    log,
    metrics,
    loop,
    version,
    web,
    others: Gateway.of(kernel, { log, metrics, tracing: telemetry.tracing }),
  });
  stops.push(() => {
    const force = setTimeout(() => app.server.closeAllConnections(), LAST_READERS_MS);
    return app.close().finally(() => clearTimeout(force));
  });
  // While turns end in their grace time, reads are still answered and new turns refused.
  stops.push(() => kernel.shutdown(server.shutdown_grace_secs));
  await app.listen({ host: server.host, port: server.port });
  // What the start takes is no block: nobody could be served yet.
  loop.start();
  const { address, port } = app.server.address() as AddressInfo;
  const url = urlOf(server.host === 'localhost' ? 'localhost' : address, port);
  if (!isPortKnown) await brought.start(url, version);
  if (buildWeb) void web.prepare();
  let isWanted = true;
  const asked = ({ method }: { method?: string | undefined }) => {
    // Whoever only reads, such as a program that waits for the kernel, has none of its turns.
    if (method !== 'GET' && method !== 'HEAD') isWanted = false;
  };
  app.server.on('request', asked);
  stops.push(() => asked({}));
  const { default_model: model } = models.list();
  const provider = model?.slice(0, model.indexOf('/')) ?? '';
  return {
    url,
    model,
    demo: shown.llm.providers[provider]?.kind === 'demo',
    async warmUp() {
      try {
        const { warmUp } = await import('./warm-up.ts');
        await warmUp({ tools, groups, machine, version }, () => isWanted);
      } catch (error) {
        log.debug({ err: error }, 'the turn that warms up failed');
      } finally {
        app.server.off('request', asked);
      }
      // Looking for it starts programs: the first turn comes first, and so mostly does its first command.
      log.info({ sandbox: await sandbox.kind() }, 'what holds commands');
    },
  };
}
