/** Composition: the only place that knows every room. Opens from the bottom up, stops from the top down. */
import { realpath } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { type Clock, type Log, openKernel, systemClock, type Tool } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { filesDirectory, openStore } from '@chat-kernel/storage';
import { builtinTools, GROUPS, MachinePaths, ownMachine, sandboxProblem } from '@chat-kernel/tools';
import packageJson from '../package.json' with { type: 'json' };
import { openApp } from './app.ts';
import { Metrics } from './metrics/metrics.ts';
import { checkSettings } from './settings/check.ts';
import { secretsOf } from './settings/secrets.ts';
import { SettingsError } from './settings/settings-error.ts';
import { openExtensions } from './start/extensions.ts';

export interface RunningServer {
  /** `http://<host>:<port>`, with the port that was really taken. */
  url: string;
  /** Gives running turns `server.shutdown_grace_secs`, then closes all. Never rejects; may be called twice. */
  stop(): Promise<void>;
}
interface Surroundings {
  log: Log;
  /** The settings file: no tool may read it. */
  file?: string | null;
  clock?: Clock;
  environment?: Readonly<Record<string, string | undefined>>;
}

/** How long a stream that reads slowly may hold up the stop, once its turn has ended. */
const LAST_READERS_MS = 1000;

/** Takes requests when it resolves. What was opened before a failure is closed again. */
export async function startServer(
  settings: Settings,
  { log, file = null, clock = systemClock, environment = process.env }: Surroundings,
): Promise<RunningServer> {
  const { server, data_dir, database, llm } = settings;
  const wrong = checkSettings(settings);
  if (wrong.length > 0)
    throw new SettingsError(wrong.map(({ path, sentence }) => `${path.join('.')}: ${sentence}`));

  const stops: (() => unknown)[] = [];
  const stopAll = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      try {
        await next();
      } catch (error) {
        log.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  };
  try {
    const metrics = new Metrics();
    stops.push(() => metrics.stop());
    const store = metrics.watchStore(await openStore({ data_dir, url: database.url, log, clock }));
    stops.push(() => store.close());
    const secrets = secretsOf(settings, environment);
    const models = await openModels({
      llm,
      titleModel: settings.titles.model,
      env: environment,
      secrets,
      clock,
      log,
    });
    const forbidden = await realPaths([data_dir, ...(file ? [file] : [])]);
    const paths = new MachinePaths(forbidden, [filesDirectory(await realpath(data_dir))]);
    const own = builtinTools({
      paths,
      shell: settings.tools.shell,
      environment,
      question_timeout_secs: settings.requests.question_timeout_secs,
    });
    const { extensions, ...brought } = await openExtensions({
      settings,
      store,
      clock,
      log,
      environment,
      secrets,
      reserved: new Set(own.map(({ name }) => name)),
    });
    stops.push(() => brought.stop());
    const tools = [...own, ...brought.tools];
    await checkTools(settings, forbidden, tools, brought.prefixes);
    // What modules do has to be known before the first turn goes on. Of a free port nobody knows before it is taken.
    const early = server.port !== 0;
    if (early) await brought.start(urlOf(server.host, server.port), packageJson.version);
    const machine = ownMachine(paths);
    const kernel = await openKernel({
      store,
      models,
      tools,
      groups: [...GROUPS, ...brought.groups],
      extensions,
      machine,
      clock,
      log,
      settings,
      secrets,
    });
    const app = await openApp({ kernel, settings, log, metrics, version: packageJson.version });
    stops.push(() => {
      const force = setTimeout(() => app.server.closeAllConnections(), LAST_READERS_MS);
      return app.close().finally(() => clearTimeout(force));
    });
    // While turns end in their grace time, reads are still answered and new turns refused.
    stops.push(() => kernel.shutdown(server.shutdown_grace_secs));
    await app.listen({ host: server.host, port: server.port });
    const { address, port } = app.server.address() as AddressInfo;
    const url = urlOf(server.host === 'localhost' ? 'localhost' : address, port);
    if (!early) await brought.start(url, packageJson.version);
    return { url, stop: once(stopAll) };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What only the machine and THE LIST can tell of the settings. @throws SettingsError */
async function checkTools(
  { tools: { shell, policy, on_demand } }: Settings,
  forbidden: readonly string[],
  tools: readonly Tool[],
  prefixes: readonly string[],
): Promise<void> {
  const names = tools.map(({ name }) => name);
  // What modules and guests bring is not known yet.
  const isTheirs = (name: string) =>
    prefixes.some(prefix => name === prefix || name.startsWith(`${prefix}_`));
  // A misspelt `off` would leave the tool on.
  const unknown = Object.keys(policy).filter(name => !names.includes(name) && !isTheirs(name));
  const groups = [...new Set(tools.filter(tool => !tool.loads_groups).map(({ group }) => group))];
  const unknownGroups = on_demand.filter(group => !groups.includes(group) && !isTheirs(group));
  const problem = shell.sandbox === 'bwrap' ? await sandboxProblem(forbidden) : null;
  const wrong = [
    ...unknown.map(name => `tools.policy.${name}: there is no such tool; there are ${names.join(', ')}`),
    ...unknownGroups.map(
      group => `tools.on_demand: there is no group ${group}; there are ${groups.join(', ')}`,
    ),
    ...(problem === null ? [] : [`tools.shell.sandbox: ${problem}`]),
  ];
  if (wrong.length > 0) throw new SettingsError(wrong);
}

/** Real paths, links followed, so that no other name leads around what is forbidden. */
const realPaths = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map(path => realpath(path)));

/** A second call waits for the first. */
function once(work: () => Promise<void>): () => Promise<void> {
  let working: Promise<void> | undefined;
  return () => {
    working ??= work();
    return working;
  };
}
