/** `chat-kernel doctor`: diagnoses common problems and suggests a fix for each. */
import { userInfo } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { FolderSkills } from '@chat-kernel/features';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import type { Settings } from '@chat-kernel/protocol';
import { skillDirectories } from '@chat-kernel/server/shared';
import {
  collectSecrets,
  type Flags,
  isLoopback,
  type LoadedSettings,
  loadOwnSettings,
} from '@chat-kernel/settings';
import { describeUser, findUserId, readRefusedUsers } from '@chat-kernel/settings/refused-users';
import { runningKernel } from '@chat-kernel/settings/running-file';
import { explain } from '@chat-kernel/settings/start-failure';
import packageJson from '../../package.json' with { type: 'json' };
import { checkDatabase } from './database.ts';
import { type Finding, formatFinding, formatSummary, ok, problem, warning } from './finding.ts';
import { checkPermissions } from './permissions.ts';
import { checkProviders } from './providers.ts';
import { checkReach } from './reach.ts';

export interface DoctorFlags extends Flags {
  /** Send a test prompt to one model of each provider. */
  call?: boolean | undefined;
  /** Print one JSON array instead of lines. */
  json?: boolean | undefined;
  /** Public URL of the server. */
  url?: string | undefined;
  /** Access token of the proxy. */
  token?: string | undefined;
}

/** Prints findings to stdout as they appear. The exit code is 1 if there is a problem. */
export async function doctor({ json, ...flags }: DoctorFlags): Promise<void> {
  const found: Finding[] = [];
  // The kernel's timers do not keep a process alive, so it would exit while a check waits for one.
  const alive = setInterval(() => {}, 60_000);
  try {
    for await (const finding of examine(flags)) {
      found.push(finding);
      if (!json) process.stdout.write(formatFinding(finding));
    }
  } finally {
    clearInterval(alive);
  }
  process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : formatSummary(found));
  process.exitCode = found.some(({ level }) => level === 'problem') ? 1 : 0;
}

async function* examine({ call = false, url, token, ...flags }: DoctorFlags): AsyncGenerator<Finding> {
  yield* checkVersions();
  let loaded: LoadedSettings;
  try {
    loaded = await loadOwnSettings(flags);
  } catch (error) {
    // The other checks need valid settings.
    for (const line of explain(error).split('\n')) {
      yield problem('settings', line, 'see docs/settings.md for valid values');
    }
    return;
  }
  const { settings, file, places, warnings } = loaded;
  yield ok('settings', file === null ? 'no settings file; using the defaults' : file);
  for (const line of warnings)
    yield warning('settings', line, 'see docs/settings.md for locations and valid values');
  yield* checkPermissions(settings, file);
  yield await checkSandbox(settings, places);
  yield* checkSkills(settings);
  yield* checkDatabase(settings);
  yield* checkProviders(settings, { call, secrets: collectSecrets(settings, process.env) });
  yield* checkUsers(settings);
  yield* checkReach(settings.server, {
    url,
    token: token ?? process.env.CHAT_KERNEL_TOKEN,
    running: runningKernel(settings.data_dir)?.url,
  });
}

/**
 * Counts skills and reports invalid skill folders (SKILL-1). Skips skills of working directories, which depend on the
 * chat.
 */
async function* checkSkills(settings: Settings): AsyncGenerator<Finding> {
  const reader = new FolderSkills({ places: skillDirectories(settings), paths: new MachinePaths([]) });
  const { skills, broken } = await reader.here(null);
  yield ok('skills', skills.length === 0 ? 'none' : skills.map(({ name }) => name).join(', '));
  for (const { path, reason } of broken) {
    yield warning('skills', `${path} is skipped: ${reason}`, 'see docs/memory.md for the format of skills');
  }
}

/** First major version of Node that runs TypeScript and includes SQLite. */
const OLDEST_NODE = 24;

/** Checks that Node is new enough and its SQLite has full-text search. */
export function* checkVersions({ node } = process.versions as { node: string }): Generator<Finding> {
  if (Number.parseFloat(node) < OLDEST_NODE) {
    yield problem(
      'versions',
      `this is Node ${node}; Chat Kernel requires ${OLDEST_NODE} or later`,
      'start it with `npm start`, which uses its own Node, or install a newer one',
    );
  }
  const database = new DatabaseSync(':memory:');
  try {
    const { version } = database.prepare('select sqlite_version() as version').get() as { version: string };
    database.exec('create virtual table words using fts5(word)');
    yield ok('versions', `chat-kernel ${packageJson.version}, Node ${node}, SQLite ${version}`);
  } catch (error) {
    yield problem(
      'versions',
      `this Node's SQLite has no full-text search (${(error as Error).message})`,
      'use the Node that `npm ci` installs',
    );
  } finally {
    database.close();
  }
}

/**
 * Checks that the configured sandbox works.
 * @param settingsPlaces absolute paths of settings files
 */
export async function checkSandbox(
  { tools, data_dir }: Settings,
  settingsPlaces: readonly string[],
): Promise<Finding> {
  const { sandbox, network } = tools.shell;
  if (sandbox === 'none') return ok('sandbox', NONE);
  const paths = new MachinePaths([data_dir, ...settingsPlaces]);
  const reason = await new Sandbox(tools.shell, paths).problem();
  if (reason !== null && sandbox === 'auto' && network === 'on') {
    return warning('sandbox', `${NONE}: ${reason}`, 'or set tools.shell.sandbox: none to confirm this');
  }
  if (reason !== null) {
    return problem('sandbox', reason, 'or set tools.shell.sandbox: none, for example in a container');
  }
  return ok(
    'sandbox',
    `bubblewrap works; commands can write in the working directory and reach ${reached(network)}`,
  );
}

const NONE = 'none; commands of models have all permissions of this user';

function reached(network: Settings['tools']['shell']['network']): string {
  if (network === 'off') return 'no host';
  return network === 'on' ? 'public hosts only' : network.join(', ');
}

/** Says which users of this machine can reach the kernel, and which users it refused. */
async function* checkUsers({ server, data_dir }: Settings): AsyncGenerator<Finding> {
  const { host, behind_proxy, allowed_users } = server;
  if (!isLoopback(host)) {
    yield ok('users', 'all who can reach the port, which the proxy guards');
    return;
  }
  if (behind_proxy || process.platform !== 'linux') {
    yield warning(
      'users',
      'every user of this machine can use the kernel',
      behind_proxy
        ? 'on Linux, set server.behind_proxy: false, and name the user of the proxy in server.allowed_users'
        : 'give no one else an account on this machine',
    );
    return;
  }
  const names = [...new Set([userInfo().username, 'root', ...allowed_users])];
  yield ok('users', `only ${names.join(', ')} can connect (server.allowed_users)`);
  const allowed = await Promise.all(allowed_users.map(findUserId));
  for (const { uid, at } of readRefusedUsers(data_dir)) {
    if (allowed.includes(uid)) continue;
    yield warning(
      'users',
      `the kernel refused a connection of ${await describeUser(uid)} at ${at}`,
      'if this is your proxy or another program of yours, add its user to server.allowed_users',
    );
  }
}
