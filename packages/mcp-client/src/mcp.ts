/**
 * Connects third-party tool servers: guests whose tools the model gets, and which learn nothing about the kernel
 * (MCP-1, MCP-2). The owner signs in to those that require it (MCP-5).
 */
import type { ProcessEnvironment } from '@chat-kernel/hands/processes';
import {
  type Clock,
  type Guests,
  type Log,
  noSuchGuest,
  type SignInStore,
  systemClock,
  type ToolGroup,
} from '@chat-kernel/kernel';
import { type Guest as GuestEntry, KernelError, type McpServerSettings } from '@chat-kernel/protocol';
import { GuestAuth } from './auth/guest-auth.ts';
import { redactingLog } from './auth/redacting-log.ts';
import { Guest, type GuestStatus } from './guests/guest.ts';
import { type GuestTool, guestTool } from './guests/guest-tool.ts';
import { buildGroupName, buildToolName } from './guests/tool-names.ts';

export interface Mcp extends Guests {
  /**
   * Begins to connect to all servers; returns immediately.
   * @param callback the address to which authorization servers redirect the owner's browser; needed with `signIns`
   */
  start(callback?: string): void;
  /** Resolves when each server has been reached once, or could not be reached. */
  tried(): Promise<void>;
  /** Ends all connections and programs. Never rejects. */
  stop(): Promise<void>;
  /** The tools of all servers, including servers that are down now and were up before. */
  tools(): GuestTool[];
  groups(): ToolGroup[];
  /** The groups of all servers in the settings, including those without tools. */
  names(): string[];
  /** Calls `callback` whenever `tools` has changed. */
  onChange(callback: () => void): void;
  status(): GuestStatus[];
}

interface McpDeps {
  servers: Readonly<Record<string, McpServerSettings>>;
  /** If absent, servers have no sign-in. */
  signIns?: SignInStore | undefined;
  log: Log;
  clock?: Clock;
  /** The environment of the kernel. Programs receive only its harmless variables. */
  environment: ProcessEnvironment;
  /** Called for each block of a result of a server that was not understood, with its type. */
  onUnread?(server: string, type: string): void;
  /** Returns a sentence for each model that does not get some of these tools. */
  describeOmitted?(tools: readonly string[]): readonly string[];
  /** Absolute path of a directory in which each program gets its working directory, by its name. */
  directory: string;
}

export function openMcp({
  servers,
  signIns,
  clock = systemClock,
  describeOmitted = () => [],
  ...deps
}: McpDeps): Mcp {
  const callbacks: (() => void)[] = [];
  const onChange = () => {
    for (const callback of callbacks) callback();
  };
  let address = '';
  const authOf = (name: string, entry: McpServerSettings): GuestAuth | null =>
    signIns && signsIn(entry)
      ? new GuestAuth(name, entry, { signIns, clock, log: deps.log, callback: () => address })
      : null;
  const guests = Object.entries(servers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => {
      const auth = authOf(name, entry);
      const log = auth === null ? deps.log : redactingLog(deps.log, auth.hide);
      return new Guest(name, entry, { ...deps, log, clock, onChange, auth });
    });
  const toEntry = async (guest: Guest): Promise<GuestEntry> => {
    const tools = buildTools(guests).filter(({ group }) => group === buildGroupName(guest.name));
    const sign_in = (await guest.auth?.state()) ?? 'none';
    return {
      ...guest.status(),
      problems: [...guest.skipped, ...describeOmitted(tools.map(({ name }) => name))],
      sign_in,
    };
  };
  return {
    start(callback = '') {
      address = callback;
      for (const guest of guests) guest.start();
    },
    async tried() {
      await Promise.all(guests.map(guest => guest.tried));
    },
    async stop() {
      await Promise.all(guests.map(guest => guest.stop()));
    },
    tools: () => buildTools(guests),
    groups: () =>
      guests
        .filter(({ tools }) => tools.length > 0)
        .map(({ name }) => ({ name: buildGroupName(name), about: `tools of the server ${name}` })),
    names: () => guests.map(({ name }) => buildGroupName(name)),
    onChange(callback) {
      callbacks.push(callback);
    },
    status: () => guests.map(guest => guest.status()),
    ...signInsTo(guests, toEntry),
  };
}

/** Whether the owner may sign in: to an address for which the settings contain no token. */
const signsIn = ({ url, headers = {} }: McpServerSettings): boolean =>
  url !== undefined && !Object.keys(headers).some(name => name.toLowerCase() === 'authorization');

function signInsTo(guests: readonly Guest[], toEntry: (guest: Guest) => Promise<GuestEntry>): Guests {
  const known = (name: string): { guest: Guest; auth: GuestAuth } => {
    const guest = guests.find(each => each.name === name);
    if (guest === undefined) throw noSuchGuest(name);
    const { auth } = guest;
    if (auth !== null) return { guest, auth };
    throw new KernelError(
      'invalid_value',
      `${name} does not use OAuth: it is a program, or the settings contain an Authorization header for it.`,
    );
  };
  return {
    list: () => Promise.all(guests.map(toEntry)),
    signIn: async name => known(name).auth.begin(),
    async finishSignIn(answer) {
      const name = answer.state?.split('.', 1)[0];
      const guest = guests.find(each => each.name === name);
      const end = (await guest?.auth?.finish(answer)) ?? 'unknown';
      if (end === 'done') guest?.wake();
      return end;
    },
    async signOut(name) {
      const { guest, auth } = known(name);
      await auth.forget();
      guest.reconnect('you signed out');
      return toEntry(guest);
    },
  };
}

function buildTools(guests: readonly Guest[]): GuestTool[] {
  const taken = new Set<string>();
  return guests.flatMap(guest =>
    guest.tools.map(listed => {
      const name = buildToolName(guest.name, listed.name, taken);
      taken.add(name);
      return guestTool(guest, listed, name);
    }),
  );
}
