/** Combines modules and MCP servers behind the kernel's port for them. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  describeOmittedTools,
  type Extensions,
  type ExtensionTool,
  type Models,
  NO_GUESTS,
  type Store,
  type Tool,
  type ToolGroup,
} from '@chat-kernel/kernel';
import type { Mcp } from '@chat-kernel/mcp-client';
import { ModuleHost, moduleTools, writableByOthers } from '@chat-kernel/module-host';
import type { ModuleSettings, Settings, ShippedModule } from '@chat-kernel/protocol';
import { REDACTED, SettingsError, socketDirectory, worthHiding } from '@chat-kernel/settings';
import { callbackUrl } from '../http/url.ts';
import type { ReportUnread } from '../metrics/unread.ts';
import type { StartContext } from './context.ts';

export interface ExtensionDeps {
  store: Store;
  onUnread: ReportUnread;
  models: Pick<Models, 'list' | 'find'>;
  /** Names that no tool of a module may have. */
  reserved: ReadonlySet<string>;
}

interface OpenExtensions {
  extensions: Extensions;
  /** Built-in tools that list and approve modules (BT-6). */
  tools: Tool[];
  groups: ToolGroup[];
  /** Prefixes of tool names that only modules and MCP servers may use. */
  prefixes: string[];
  /**
   * Connects all of them. Waits a few seconds at most for modules, and not at all for MCP servers.
   * @param url of the kernel
   */
  start(url: string, version: string): Promise<void>;
  stop(): Promise<void>;
}

/** @throws SettingsError */
export async function openExtensions(
  { settings: { modules, mcp, data_dir, requests, server }, clock, log, environment, secrets }: StartContext,
  { store, onUnread, models, reserved }: ExtensionDeps,
): Promise<OpenExtensions> {
  const socket_dir = socketDirectory({ modules, data_dir });
  // The folder is private: no other user may create a socket in it.
  if (modules.socket_dir === null) await mkdir(socket_dir, { recursive: true, mode: 0o700 });
  await refuseOpen(socket_dir);
  const describeOmitted = (tools: readonly string[]) => describeOmittedTools(models, tools);
  const servers = { ...shippedModules(modules.shipped, data_dir), ...modules.servers };
  const host = new ModuleHost({
    socket_dir,
    servers,
    store,
    clock,
    log,
    reserved,
    environment,
    describeOmitted,
    onUnread: (module, shape) => onUnread(`module:${module}`, shape),
  });
  const { signIns } = store;
  const directory = join(data_dir, 'mcp');
  const guestDeps = { log, clock, environment, directory, signIns, describeOmitted, onUnread };
  const guests = await openGuests(mcp.servers, guestDeps);
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
    onQuestion: ask => host.onQuestion(ask),
    modules: () => host.modules(),
    approve: (name, hash) => host.approve(name, hash),
    revoke: name => host.revoke(name),
    onDecision: callback => host.onDecision(callback),
    reloadDecisions: () => host.reloadDecisions(),
  };
  const names = new Set([
    ...Object.keys(servers),
    ...(await store.modules.list()).map(({ name }) => name),
    ...(await modulesWithSockets(socket_dir)),
  ]);
  return {
    extensions,
    tools: moduleTools(host, requests.question_timeout_secs),
    groups: [{ name: 'modules', about: 'lists and approves the modules of this service' }],
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

/** @throws SettingsError if other users could create a socket in the folder, which would be treated as a module */
async function refuseOpen(folder: string): Promise<void> {
  // A folder that does not exist yet is checked when it appears.
  const facts = await stat(folder).catch(() => undefined);
  const others = facts && writableByOthers(facts.mode);
  if (!others) return;
  throw new SettingsError([
    `modules.socket_dir: ${others} can write to ${folder} and add modules. Run chmod 700 ${folder}`,
  ]);
}

/** Returns the names of modules that have a socket in the folder; none if the folder does not exist. */
async function modulesWithSockets(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((): string[] => []);
  return files.filter(file => file.endsWith('.sock')).map(file => file.slice(0, -'.sock'.length));
}

/** Opens MCP. Its library is large, so it is loaded only if the settings name a server. */
async function openGuests(
  servers: Settings['mcp']['servers'],
  deps: Pick<StartContext, 'log' | 'clock' | 'environment'> &
    Pick<ExtensionDeps, 'onUnread'> &
    Pick<Store, 'signIns'> & { directory: string; describeOmitted(tools: readonly string[]): string[] },
): Promise<Mcp | undefined> {
  if (Object.keys(servers).length === 0) return undefined;
  const { openMcp } = await import('@chat-kernel/mcp-client');
  const onUnread = (server: string, type: string) => deps.onUnread(`mcp:${server}`, type);
  return openMcp({ servers, ...deps, onUnread });
}

/**
 * Returns the tool with `***` in its output for each secret: no model reads a secret, and none is stored (API-7). An MCP
 * server that rejects a call can quote its headers. Every turn redacts the outputs of all tools (`known-secrets.ts` in the
 * kernel), but another kernel of the database, whose turn may call these tools, does not know the secrets of this one.
 */
export function redactOutput(tool: ExtensionTool, secrets: readonly string[]): ExtensionTool {
  const hidden = worthHiding(secrets);
  const hide = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context);
      return { ...result, output: hide(result.output) };
    },
  };
}

/** In the shipped package, and in a checkout. */
const PLACES = [
  (name: string) => join(import.meta.dirname, '../../modules', name, 'main.js'),
  (name: string) => join(import.meta.dirname, '../../../../modules', name, 'main.ts'),
];

/**
 * Builds the start settings of each: over stdio, with its own folder in `modules/` of data_dir, and with the settings
 * file next to that folder, if there is one. Passwords and addresses of a module never pass through the kernel.
 */
const shippedModules = (names: readonly ShippedModule[], data_dir: string): Record<string, ModuleSettings> =>
  Object.fromEntries(names.map(name => [name, shippedModule(name, join(data_dir, 'modules', name))]));

function shippedModule(name: ShippedModule, folder: string): ModuleSettings {
  const program = PLACES.map(place => place(name)).find(existsSync) ?? name;
  const config = `${folder}.yaml`;
  return {
    command: process.execPath,
    args: [program, '--stdio', '--data', folder, ...(existsSync(config) ? ['--config', config] : [])],
  };
}
