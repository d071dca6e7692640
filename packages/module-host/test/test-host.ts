/** Opens a module host over a real database, with modules as processes or on sockets inside the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Clock,
  type OutsideAct,
  systemClock,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from '@chat-kernel/kernel';
import type { JsonObject, TurnContext } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { ModuleHost, type ModuleHostDeps } from '../src/index.ts';
import { type Declared, type Speaker, speak } from './fixtures/speak.ts';

const MODULE_PROGRAM = fileURLToPath(new URL('fixtures/module.ts', import.meta.url));

export const MASTER: TurnContext = {
  chat_id: '01936f7e-5b5a-7c7d-8000-000000000001',
  sender: '',
  master: true,
  trusted: true,
  privileged: true,
  client_ops: false,
};

interface HostTestbed {
  path: string;
  socket_dir: string;
  logged: { level: string; facts: object; sentence: string }[];
  /** Starts another host over the same database and directory. */
  host(parts?: Partial<ModuleHostDeps>): Promise<ModuleHost>;
}

export async function hostTestbed(clock: Clock = systemClock): Promise<HostTestbed> {
  const { path, remove } = temporaryDirectory();
  const socket_dir = join(path, 'modules');
  mkdirSync(socket_dir, { mode: 0o700 });
  const logged: HostTestbed['logged'] = [];
  const at = (level: string) => (facts: object, sentence: string) =>
    void logged.push({ level, facts, sentence });
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const store = await openStore({ data_dir: join(path, 'data'), url: null, log, clock });
  const hosts: ModuleHost[] = [];
  onTestFinished(async () => {
    await Promise.all(hosts.map(host => host.stop()));
    await store.close();
    remove();
  });
  return {
    path,
    socket_dir,
    logged,
    async host(parts = {}) {
      const host = new ModuleHost({
        socket_dir,
        servers: {},
        store,
        clock,
        log,
        reserved: new Set(),
        environment: { PATH: process.env.PATH },
        ...parts,
      });
      hosts.push(host);
      await host.start({ version: '9.9.9', url: 'http://127.0.0.1:1' });
      return host;
    },
  };
}

/** Returns a settings entry with which the kernel starts the small module. */
export const started = (declared: Declared, env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [MODULE_PROGRAM, JSON.stringify(declared)],
  env,
});

/** Starts the small module as a process that listens on a socket, and kills it after the test. */
export function listening(declared: Declared, socket: string): ChildProcess {
  const child = spawn(process.execPath, [MODULE_PROGRAM, JSON.stringify(declared), socket], {
    stdio: 'inherit',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export interface Served {
  speakers: Speaker[];
  connections: Socket[];
  /** Removes the socket and closes all connections. */
  close(): void;
  /** Removes the socket; connections stay open. */
  leave(): void;
}

/** Serves the small module inside the test. */
export async function served(declared: Declared, socket: string): Promise<Served> {
  const speakers: Speaker[] = [];
  const connections: Socket[] = [];
  rmSync(socket, { force: true });
  const server: Server = createServer(connection => {
    connection.on('error', () => {});
    connections.push(connection);
    speakers.push(speak(connection, connection, declared));
  });
  await new Promise<void>(resolve => server.listen(socket, resolve));
  const leave = () => void server.close();
  const close = () => {
    leave();
    for (const connection of connections) connection.destroy();
  };
  onTestFinished(close);
  return { speakers, connections, close, leave };
}

export interface Asked extends Promise<ToolOutput> {
  shown: string[];
  /** The actions that the user was asked about, and the answer to each. */
  acts: { act: OutsideAct; unwanted: AbortSignal; allow(): void; refuse(error: Error): void }[];
  abort(): void;
}

/** Calls a tool of the host by its full name. */
export function call(
  host: ModuleHost,
  name: string,
  input: JsonObject = {},
  turn_context: TurnContext = MASTER,
): Asked {
  const shown: string[] = [];
  const acts: Asked['acts'] = [];
  const stop = new AbortController();
  // Tools of modules use only these members.
  const context = {
    call_id: 'call_1',
    turn_context,
    signal: stop.signal,
    progress: (output: string) => void shown.push(output),
    consentToAct(act: OutsideAct, unwanted: AbortSignal) {
      const { promise, resolve: allow, reject: refuse } = Promise.withResolvers<void>();
      acts.push({ act, unwanted, allow, refuse });
      return promise;
    },
  } as unknown as ToolContext;
  const asked = toolOf(host, name).run(input, context);
  return Object.assign(asked, { shown, acts, abort: () => stop.abort(new Error('the turn ended')) });
}

export function toolOf(host: ModuleHost, name: string): Tool {
  const tool = host.tools().tools.find(each => each.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

export const statusOf = (host: ModuleHost, name: string): string | undefined =>
  host.modules().find(module => module.name === name)?.status;

/** Waits until a condition holds. @throws Error after ten seconds */
export async function until(so: () => boolean, ms = 30_000): Promise<void> {
  for (const deadline = Date.now() + ms; !so(); ) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${so}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** Whether a process of this id runs. A zombie does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
