/** Runs a module as a process: accepts the kernel's connection, starts its own work, and stops in order. */
import { Console } from 'node:console';
import { KernelClient } from '@chat-kernel/client';
import type { ByteStreams } from '@chat-kernel/json-rpc';
import { type LoadedConfig, loadConfig } from './config.ts';
import { buildDeclaration } from './declaration.ts';
import type { AskOwner, ModuleDefinition } from './define.ts';
import { KernelSession } from './kernel-session.ts';
import { type ListeningSocket, listen } from './listen.ts';
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
