/** Third-party tool servers: guests, whose tools the model gets, and which get nothing of the kernel (MCP-1, MCP-2). */
import { type Clock, type Log, systemClock, type Tool, type ToolGroup } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { Environment } from '../processes/environment.ts';
import { Guest, type GuestStatus } from './guests/guest.ts';
import { groupOf, nameOf } from './guests/tool-names.ts';
import { toolOf } from './guests/guest-tool.ts';

export interface Mcp {
  /** Begins to connect to all servers; returns at once. */
  start(): void;
  /** Ends all connections and programs. Never rejects. */
  stop(): Promise<void>;
  /** Those of servers that are down included, once they have been up. */
  tools(): Tool[];
  groups(): ToolGroup[];
  /** Calls back whenever `tools` answers something else. */
  onChange(callback: () => void): void;
  status(): GuestStatus[];
}

interface Parts {
  servers: Settings['mcp']['servers'];
  log: Log;
  clock?: Clock;
  /** The kernel's environment, of which programs get a few harmless variables. */
  environment: Environment;
}

export function openMcp({ servers, log, clock = systemClock, environment }: Parts): Mcp {
  const callbacks: (() => void)[] = [];
  const onChange = () => {
    for (const callback of callbacks) callback();
  };
  const guests = Object.entries(servers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => new Guest(name, entry, { log, clock, environment, onChange }));
  return {
    start() {
      for (const guest of guests) guest.start();
    },
    async stop() {
      await Promise.all(guests.map(guest => guest.stop()));
    },
    tools: () => toolsOf(guests),
    groups: () =>
      guests
        .filter(({ tools }) => tools.length > 0)
        .map(({ name }) => ({ name: groupOf(name), about: `tools of the server ${name}` })),
    onChange(callback) {
      callbacks.push(callback);
    },
    status: () => guests.map(guest => guest.status()),
  };
}

function toolsOf(guests: readonly Guest[]): Tool[] {
  const taken = new Set<string>();
  return guests.flatMap(guest =>
    guest.tools.map(listed => {
      const name = nameOf(guest.name, listed.name, taken);
      taken.add(name);
      return toolOf(guest, listed, name);
    }),
  );
}
