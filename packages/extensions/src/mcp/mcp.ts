/** Third-party tool servers: guests whose tools the model gets, and which learn nothing about the kernel (MCP-1, MCP-2). */
import { type Clock, type Log, systemClock, type ToolGroup } from '@chat-kernel/kernel';
import type { McpServerSettings } from '@chat-kernel/protocol';
import type { ProcessEnvironment } from '../processes/environment.ts';
import { Guest, type GuestStatus } from './guests/guest.ts';
import { type GuestTool, guestTool } from './guests/guest-tool.ts';
import { groupNameOf, toolNameOf } from './guests/tool-names.ts';

export interface Mcp {
  /** Begins to connect to all servers; returns at once. */
  start(): void;
  /** Resolves when each server has been reached once, or could not be. */
  tried(): Promise<void>;
  /** Ends all connections and programs. Never rejects. */
  stop(): Promise<void>;
  /** The tools of all servers, those included that are down now and were up before. */
  tools(): GuestTool[];
  groups(): ToolGroup[];
  /** The groups of all servers that the settings name, those without tools included. */
  names(): string[];
  /** Calls back whenever `tools` has changed. */
  onChange(callback: () => void): void;
  status(): GuestStatus[];
}

interface McpDeps {
  servers: Readonly<Record<string, McpServerSettings>>;
  log: Log;
  clock?: Clock;
  /** The environment of the kernel. Programs get the harmless variables. */
  environment: ProcessEnvironment;
  /** Absolute path of a directory in which each program gets its working directory, by its name. */
  directory: string;
}

export function openMcp({ servers, log, clock = systemClock, environment, directory }: McpDeps): Mcp {
  const callbacks: (() => void)[] = [];
  const onChange = () => {
    for (const callback of callbacks) callback();
  };
  const guests = Object.entries(servers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => new Guest(name, entry, { log, clock, environment, directory, onChange }));
  return {
    start() {
      for (const guest of guests) guest.start();
    },
    async tried() {
      await Promise.all(guests.map(guest => guest.tried));
    },
    async stop() {
      await Promise.all(guests.map(guest => guest.stop()));
    },
    tools: () => toolsOf(guests),
    groups: () =>
      guests
        .filter(({ tools }) => tools.length > 0)
        .map(({ name }) => ({ name: groupNameOf(name), about: `tools of the server ${name}` })),
    names: () => guests.map(({ name }) => groupNameOf(name)),
    onChange(callback) {
      callbacks.push(callback);
    },
    status: () => guests.map(guest => guest.status()),
  };
}

function toolsOf(guests: readonly Guest[]): GuestTool[] {
  const taken = new Set<string>();
  return guests.flatMap(guest =>
    guest.tools.map(listed => {
      const name = toolNameOf(guest.name, listed.name, taken);
      taken.add(name);
      return guestTool(guest, listed, name);
    }),
  );
}
