/** Runs a module as a process: accepts the kernel's connection, starts its own work, and stops in order. */
import { Console } from 'node:console';
import { chmod, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { KernelClient } from '@chat-kernel/client';
import type { ByteStreams } from '@chat-kernel/json-rpc';
import { type LoadedConfig, loadConfig } from './config.ts';
import { buildDeclaration } from './declaration.ts';
import type { AskOwner, ModuleDefinition } from './define.ts';
import { KernelSession } from './kernel-session.ts';
import { stderrLogger } from './logger.ts';

/** Time for running calls to end when the module stops. */
const GRACE_MS = 5000;
const DEFAULT_URL = 'http://127.0.0.1:8787';

export interface ServeOptions {
  /** Default: the configuration that `loadConfig` finds. */
  config?: LoadedConfig<unknown>;
  /** Whether to stop at SIGTERM and SIGINT, and exit; default true. */
  signals?: boolean;
}

export interface RunningModule {
  /** Stops the module; running calls have 5 s to end. May be called twice. */
  stop(): Promise<void>;
  /** Resolves when the module has stopped, also because a kernel at the other end of stdio has disconnected. */
  stopped: Promise<void>;
}

/**
 * Connects to the kernel over a socket if one is set, or over stdio if stdin is not a terminal. A module with neither
 * tools nor stages, such as a plain surface, needs no connection. Resolves when the kernel can find the module and
 * `start` has begun. Over stdio, `start` gets the kernel at the other end if the settings name none. @throws Error if
 * the declaration is invalid, the socket is in use, or the kernel is unreachable (MOD-11)
 */
export async function serve(
  module: ModuleDefinition,
  { config, signals = true }: ServeOptions = {},
): Promise<RunningModule> {
  const { kernel, socket, stdio } = config ?? (await loadConfig());
  const { tools, stages } = buildDeclaration(module);
  const client = clientFor(kernel);
  const sessions = new Set<KernelSession>();
  const stopping = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let listening: ListeningSocket | undefined;
  let caller: Promise<KernelClient | undefined> | undefined;

  const open = (streams: ByteStreams): KernelSession => {
    const session = new KernelSession(module, streams, kernel.url === null ? undefined : client);
    sessions.add(session);
    session.ended.then(() => sessions.delete(session));
    return session;
  };
  const stop = async () => {
    stopping.abort(new Error('The module is stopping.'));
    await Promise.all([listening?.close(), ...[...sessions].map(session => session.stop(GRACE_MS))]);
    resolve();
    return stopped;
  };
  if (signals) {
    const onSignal = () => stop().then(() => process.exit(0));
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  }

  if (stdio || tools.length > 0 || stages.length > 0) {
    if (!stdio && socket !== null) {
      listening = await listen(socket, connection => open({ readable: connection, writable: connection }));
    } else if (stdio || !process.stdin.isTTY) {
      // The kernel would treat console output on stdout as messages.
      globalThis.console = new Console(process.stderr, process.stderr);
      const session = open({ readable: process.stdin, writable: process.stdout });
      caller = session.kernel;
      session.ended.then(stop).then(() => signals && process.exit());
    } else {
      throw new Error(`Where does ${module.name} listen? Set socket in its configuration, or --socket PATH.`);
    }
  }
  try {
    if (module.start) {
      const api = caller === undefined ? client : await caller;
      // A kernel that has already disconnected ends the module.
      if (api === undefined) return { stop, stopped };
      await api.ready({ waitMs: kernel.wait_secs * 1000, signal: stopping.signal });
      const ask: AskOwner = async question => {
        // After a reconnect, the last one is in use.
        const session = [...sessions].at(-1);
        if (!session) throw new Error('No kernel is connected.');
        return session.ask(question);
      };
      await module.start({ kernel: api, signal: stopping.signal, log: stderrLogger, ask });
    }
  } catch (error) {
    if (caller !== undefined) {
      // The process ends with its connection, before a thrown error could be printed.
      stderrLogger.error(`start: ${(error as Error)?.stack ?? error}`);
      process.exitCode = 1;
    }
    await stop();
    throw error;
  }
  return { stop, stopped };
}

const clientFor = ({ url, token }: LoadedConfig<unknown>['kernel']): KernelClient =>
  new KernelClient({ url: url ?? DEFAULT_URL, ...(token !== null && { token }) });

interface ListeningSocket {
  /** Removes the socket, unless another process has replaced it. Open connections stay. */
  close(): Promise<void>;
}

/**
 * Listens on a unix socket that only its owner may use, and that appears atomically. Replaces a socket that a dead
 * process left there.
 * @throws Error if the path has another kind of file, or a process listens there
 */
async function listen(path: string, onConnection: (socket: Socket) => void): Promise<ListeningSocket> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await checkFree(path);
  const server = createServer(onConnection);
  // The socket is bound under another name and moved when it is ready, so that it never exists without protection.
  const temporary = join(dirname(path), `.${process.pid}`);
  await unlink(temporary).catch(ignoreMissing);
  await bound(server, temporary);
  await chmod(temporary, 0o600);
  await rename(temporary, path);
  const { ino } = await lstat(path);
  return {
    async close() {
      server.close();
      const now = await lstat(path).catch(ignoreMissing);
      if (now?.ino === ino) await unlink(path).catch(ignoreMissing);
    },
  };
}

async function checkFree(path: string): Promise<void> {
  const there = await lstat(path).catch(ignoreMissing);
  if (there === undefined) return;
  if (!there.isSocket()) throw new Error(`${path} is there already, and is no socket.`);
  if (await answers(path)) throw new Error(`Another process listens at ${path}.`);
}

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.on('connect', () => settle(true)).on('error', () => settle(false));
  });

const bound = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
