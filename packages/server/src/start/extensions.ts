/** Modules and MCP servers together, in the form of the port that the kernel has for them. */
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ModuleHost, moduleTools, writableByOthers } from '@chat-kernel/extensions';
import type { Mcp } from '@chat-kernel/extensions/mcp';
import {
  type Clock,
  type Extensions,
  type Log,
  NO_GUESTS,
  type Store,
  type Tool,
  type ToolGroup,
} from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { socketDirectory } from '../settings/effective.ts';
import type { EnvironmentVariables } from '../settings/overrides.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { callbackUrl } from './callback-url.ts';
import { redactOutput } from './redacted-output.ts';
import { shippedModules } from './shipped-modules.ts';

interface ExtensionDeps {
  settings: Settings;
  store: Store;
  clock: Clock;
  log: Log;
  environment: EnvironmentVariables;
  /** Texts that no output of their tools may repeat. */
  secrets: readonly string[];
  /** Names that no tool of a module may have. */
  reserved: ReadonlySet<string>;
}

interface OpenExtensions {
  extensions: Extensions;
  /** Built-in tools that list and approve modules (BT-6). */
  tools: Tool[];
  groups: ToolGroup[];
  /** First parts of tool names that only modules and MCP servers may use. */
  prefixes: string[];
  /**
   * Connects all of them. Waits a few seconds at most for modules, and not at all for MCP servers.
   * @param url of the kernel
   */
  start(url: string, version: string): Promise<void>;
  stop(): Promise<void>;
}

/** @throws SettingsError */
export async function openExtensions({
  settings: { modules, mcp, data_dir, requests, server },
  store,
  clock,
  log,
  environment,
  secrets,
  reserved,
}: ExtensionDeps): Promise<OpenExtensions> {
  const socket_dir = socketDirectory({ modules, data_dir });
  // The folder is private: no other user may put a socket there.
  if (modules.socket_dir === null) await mkdir(socket_dir, { recursive: true, mode: 0o700 });
  await refuseOpen(socket_dir);
  const servers = { ...shippedModules(modules.shipped, data_dir), ...modules.servers };
  const host = new ModuleHost({
    socket_dir,
    servers,
    store,
    clock,
    log,
    reserved,
    environment,
  });
  const { signIns } = store;
  const directory = join(data_dir, 'mcp');
  const guests = await openGuests(mcp.servers, { log, clock, environment, directory, signIns });
  const extensions: Extensions = {
    stages: host.stages,
    guests: guests ?? NO_GUESTS,
    tools() {
      const brought = host.tools();
      return {
        tools: [...brought.tools, ...(guests?.tools() ?? [])].map(tool => redactOutput(tool, secrets)),
        groups: [...brought.groups, ...(guests?.groups() ?? [])],
        reserved: brought.reserved,
        here: [...brought.here, ...(guests?.names() ?? [])],
      };
    },
    changed: () => host.changed(),
    onChange(callback) {
      host.onChange(callback);
      guests?.onChange(callback);
    },
    modules: () => host.modules(),
    approve: (name, hash) => host.approve(name, hash),
    revoke: name => host.revoke(name),
    onDecision: callback => host.onDecision(callback),
    hearDecisions: () => host.hearDecisions(),
  };
  const names = new Set([
    ...Object.keys(servers),
    ...(await store.modules.list()).map(({ name }) => name),
    ...(await modulesWithSockets(socket_dir)),
  ]);
  return {
    extensions,
    tools: moduleTools(host, requests.question_timeout_secs),
    groups: [{ name: 'modules', about: 'lists and approves the modules that extend this service' }],
    prefixes: ['mcp', ...names],
    async start(url, version) {
      guests?.start(callbackUrl(server.public_url, url));
      await host.start({ url, version });
    },
    async stop() {
      await Promise.all([host.stop(), guests?.stop()]);
    },
  };
}

/** @throws SettingsError where others could put a socket into the folder, which would be taken for a module */
async function refuseOpen(folder: string): Promise<void> {
  // A folder that is not there yet is looked at when it comes.
  const facts = await stat(folder).catch(() => undefined);
  const others = facts && writableByOthers(facts.mode);
  if (!others) return;
  throw new SettingsError([
    `modules.socket_dir: ${others} may write in ${folder}, and could put a module there: chmod 700 ${folder}`,
  ]);
}

/** Returns the names of modules that have a socket in the folder; none where there is no such folder. */
async function modulesWithSockets(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((): string[] => []);
  return files.filter(file => file.endsWith('.sock')).map(file => file.slice(0, -'.sock'.length));
}

/** Opens MCP, whose library is large and therefore loaded only where the settings name a server. */
async function openGuests(
  servers: Settings['mcp']['servers'],
  deps: Pick<ExtensionDeps, 'log' | 'clock' | 'environment'> & Pick<Store, 'signIns'> & { directory: string },
): Promise<Mcp | undefined> {
  if (Object.keys(servers).length === 0) return undefined;
  const { openMcp } = await import('@chat-kernel/extensions/mcp');
  return openMcp({ servers, ...deps });
}
