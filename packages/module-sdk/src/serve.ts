/** A module as a process: listens for the kernel, begins its own work, and stops in order. */
import { Console } from 'node:console';
import { KernelClient } from '@chat-kernel/client';
import type { ByteStreams } from '@chat-kernel/json-rpc';
import { type LoadedConfig, loadConfig } from './config.ts';
import { declarationOf } from './declaration.ts';
import type { ModuleDefinition } from './define.ts';
import { KernelSession } from './kernel-session.ts';
import { type ListeningSocket, listen } from './listen.ts';
import { printed } from './logger.ts';

/** Time for running calls to end when the module stops. */
const GRACE_MS = 5000;
const DEFAULT_URL = 'http://127.0.0.1:8787';

export interface ServeOptions {
  /** Default: the configuration that `loadConfig` finds. */
  config?: LoadedConfig<unknown>;
  /** Stop at SIGTERM and SIGINT, and exit; default true. */
  signals?: boolean;
}

export interface RunningModule {
  /** Stops the module; running calls have 5 s to end. May be called twice. */
  stop(): Promise<void>;
  /** Resolves when the module has stopped, also because a kernel at the other end of stdio is gone. */
  stopped: Promise<void>;
}

/**
 * Talks to the kernel over a socket where one is set, else over stdio where stdin is no terminal. A module with neither
 * tools nor stages, such as a plain surface, needs no connection. Resolves when the kernel can find the module and `start`
 * has begun; over stdio `start` gets the kernel at the other end, where the settings name none. @throws Error where the declaration is wrong, the socket is taken, or the kernel cannot be reached (MOD-11)
 */
export async function serve(
  module: ModuleDefinition,
  { config, signals = true }: ServeOptions = {},
): Promise<RunningModule> {
  const { kernel, socket, stdio } = config ?? (await loadConfig());
  const { tools, stages } = declarationOf(module);
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
      // Output of the console on stdout would be taken for messages.
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
      // A kernel that has hung up already ends the module.
      if (api === undefined) return { stop, stopped };
      await api.ready({ waitMs: kernel.wait_secs * 1000, signal: stopping.signal });
      await module.start({ kernel: api, signal: stopping.signal, log: printed });
    }
  } catch (error) {
    if (caller !== undefined) {
      // The process ends with its connection, before anybody would get to print what is thrown.
      printed.error(`start: ${(error as Error)?.stack ?? error}`);
      process.exitCode = 1;
    }
    await stop();
    throw error;
  }
  return { stop, stopped };
}

const clientFor = ({ url, token }: LoadedConfig<unknown>['kernel']): KernelClient =>
  new KernelClient({ url: url ?? DEFAULT_URL, ...(token !== null && { token }) });
