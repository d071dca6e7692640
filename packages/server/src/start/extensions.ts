/** Modules and MCP guests together, as the one thing that the kernel sees of them. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ModuleHost, moduleTools } from '@chat-kernel/extensions';
import type { Mcp } from '@chat-kernel/extensions/mcp';
import type { Clock, Extensions, Log, Store, Tool, ToolGroup } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { hidingTool } from './redacted-output.ts';

interface Parts {
  settings: Settings;
  store: Store;
  clock: Clock;
  log: Log;
  environment: Readonly<Record<string, string | undefined>>;
  /** What no tool of theirs may tell. */
  secrets: readonly string[];
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
}

export interface OpenExtensions {
  extensions: Extensions;
  /** The kernel's own tools for them (BT-6). */
  tools: Tool[];
  groups: ToolGroup[];
  /** Beginnings of names that only they have. */
  prefixes: string[];
  /** Reaches out to all of them; guests are not waited for, modules for a few seconds at most. @param url of the kernel */
  start(url: string, version: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openExtensions({
  settings: { modules, mcp, data_dir, requests },
  store,
  clock,
  log,
  environment,
  secrets,
  reserved,
}: Parts): Promise<OpenExtensions> {
  const socket_dir = modules.socket_dir ?? join(data_dir, 'modules');
  // Nobody else may put a socket there.
  if (modules.socket_dir === null) await mkdir(socket_dir, { recursive: true, mode: 0o700 });
  const host = new ModuleHost({
    socket_dir,
    servers: modules.servers,
    store,
    clock,
    log,
    reserved,
    environment,
  });
  const guests = await openGuests(mcp.servers, { log, clock, environment });
  const extensions: Extensions = {
    stages: host.stages,
    tools() {
      const brought = host.tools();
      return {
        tools: [...brought.tools, ...(guests?.tools() ?? [])].map(tool => hidingTool(tool, secrets)),
        groups: [...brought.groups, ...(guests?.groups() ?? [])],
      };
    },
    onChange(callback) {
      host.onChange(callback);
      guests?.onChange(callback);
    },
    modules: () => host.modules(),
    approve: name => host.approve(name),
    revoke: name => host.revoke(name),
  };
  const names = new Set([
    ...Object.keys(modules.servers),
    ...(await store.modules()).map(({ name }) => name),
    ...(await namesIn(socket_dir)),
  ]);
  return {
    extensions,
    tools: moduleTools(host, requests.question_timeout_secs),
    groups: [{ name: 'modules', about: 'lists and approves the modules that extend this service' }],
    prefixes: ['mcp', ...names],
    async start(url, version) {
      guests?.start();
      await host.start({ url, version });
    },
    async stop() {
      await Promise.all([host.stop(), guests?.stop()]);
    },
  };
}

/** The modules that have a socket there already; none where there is no such directory. */
async function namesIn(socketDir: string): Promise<string[]> {
  const files = await readdir(socketDir).catch((): string[] => []);
  return files.filter(file => file.endsWith('.sock')).map(file => file.slice(0, -'.sock'.length));
}

/** The library that speaks to guests is only loaded where there are some: it is not small. */
async function openGuests(
  servers: Settings['mcp']['servers'],
  parts: Pick<Parts, 'log' | 'clock' | 'environment'>,
): Promise<Mcp | undefined> {
  if (Object.keys(servers).length === 0) return undefined;
  const { openMcp } = await import('@chat-kernel/extensions/mcp');
  return openMcp({ servers, ...parts });
}
