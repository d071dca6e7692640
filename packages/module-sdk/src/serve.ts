/** A module as a process: listens for the kernel, does what it does by itself, and stops in order. */
import { Console } from 'node:console';
import { KernelClient } from '@chat-kernel/client';
import { type LoadedConfig, loadConfig } from './config.ts';
import { declarationOf } from './declaration.ts';
import type { Module } from './define.ts';
import { type Listening, listen } from './listen.ts';
import { printed } from './log.ts';
import { Session, type Wire } from './session.ts';

/** How long running calls may go on when it stops. */
const GRACE_MS = 5000;
const DEFAULT_URL = 'http://127.0.0.1:8787';

export interface ServeOptions {
  /** Default: what `loadConfig` finds. */
  config?: LoadedConfig<unknown>;
  /** Stop at SIGTERM and SIGINT, and exit; default true. */
  signals?: boolean;
}

export interface RunningModule {
  /** Finishes calls for at most 5 s. May be called twice. */
  stop(): Promise<void>;
  /** Settles when it has stopped: also because the kernel that it spoke to over stdio is gone. */
  stopped: Promise<void>;
}

/**
 * Speaks over a socket where one is set, else over stdio where stdin is no terminal. A module with neither tools nor
 * stages, such as a plain surface, speaks to nobody. Resolves when the kernel can find it and `start` has begun.
 * @throws Error where the module is declared wrongly, the socket is taken, or the kernel stays away (MOD-11)
 */
export async function serve(
  module: Module,
  { config, signals = true }: ServeOptions = {},
): Promise<RunningModule> {
  const { kernel, socket, stdio } = config ?? (await loadConfig());
  const { tools, stages } = declarationOf(module);
  const client = clientFor(kernel);
  const sessions = new Set<Session>();
  const stopping = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let listening: Listening | undefined;

  const open = (wire: Wire): Session => {
    const session = new Session(module, wire, kernel.url === null ? undefined : client);
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

  if (tools.length > 0 || stages.length > 0) {
    if (!stdio && socket !== null) {
      listening = await listen(socket, wire => open({ readable: wire, writable: wire }));
    } else if (stdio || !process.stdin.isTTY) {
      // Whatever is printed from here on would be taken for a message.
      globalThis.console = new Console(process.stderr, process.stderr);
      const session = open({ readable: process.stdin, writable: process.stdout });
      session.ended.then(stop).then(() => signals && process.exit(0));
    } else {
      throw new Error(`Where does ${module.name} listen? Set socket in its configuration, or --socket PATH.`);
    }
  }
  try {
    if (module.start) {
      await client.ready({ waitMs: kernel.wait_secs * 1000, signal: stopping.signal });
      await module.start({ kernel: client, signal: stopping.signal, log: printed });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop, stopped };
}

const clientFor = ({ url, token }: LoadedConfig<unknown>['kernel']): KernelClient =>
  new KernelClient({ url: url ?? DEFAULT_URL, ...(token !== null && { token }) });
