/** One connection to a server, from its first question to its loss: which revision it speaks, and whether it holds. */
import type { Clock, Log } from '@chat-kernel/kernel';
import { Client, type ConnectOptions } from '@modelcontextprotocol/client';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Environment } from '../../processes/environment.ts';
import { isAnswer, isNegotiationFailure, reasonOf } from '../rules/failures.ts';
import { CONNECT_MS, NO_TIMEOUT, PROBE_MS } from '../rules/limits.ts';
import { type Loss, Pulse } from './heartbeat.ts';
import { Subscription } from './subscription.ts';
import { openWire, type ServerEntry, type Wire } from '../wires/guest-wire.ts';

export interface Connection {
  client: Client;
  /** Protocol revision, such as 2026-07-28. */
  revision: string;
  /** Parameters of calls may have to go as headers too. */
  mirrors_headers: boolean;
  /** How it ended. Never rejects. */
  lost: Promise<Loss>;
  /** Declares it lost. */
  lose(loss: Loss): void;
  /** Asks whether the server is still there, and declares the connection lost where it is not. */
  check(): Promise<void>;
  /** Ends it and what it started. Never rejects. */
  close(): Promise<void>;
}

export interface Surroundings {
  name: string;
  log: Log;
  clock: Clock;
  environment: Environment;
  /** Told when the list of tools has changed. */
  onListChanged(): void;
  /** Calls run: who is busy may be slow to say that it is there. */
  isBusy(): boolean;
}

/** The message is a sentence that says all. */
export class NoConnection extends Error {
  /** It may be a server that cannot be asked for its revision. */
  readonly perhaps_older: boolean;

  constructor(problem: string, cause: unknown, perhaps_older = false) {
    super(problem, { cause });
    this.perhaps_older = perhaps_older;
  }
}

/** @throws NoConnection */
export async function openConnection(
  entry: ServerEntry,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Connection> {
  try {
    return await tryConnection(entry, surroundings, signal, {});
  } catch (error) {
    // Some programs of older revisions end when they are asked a question they don't know.
    const older = error instanceof NoConnection && error.perhaps_older;
    if (entry.command === undefined || signal.aborted || !older) throw error;
    return tryConnection(entry, surroundings, signal, { prior: { kind: 'legacy' } });
  }
}

async function tryConnection(
  entry: ServerEntry,
  surroundings: Surroundings,
  signal: AbortSignal,
  options: ConnectOptions,
): Promise<Connection> {
  const { name, log, clock } = surroundings;
  const wire = openWire(entry, surroundings);
  const client = new Client(
    { name: 'chat-kernel', version: packageJson.version },
    {
      // No elicitation, no sampling, no roots: a guest is told nothing of turns (MCP-2).
      capabilities: {},
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: wire.silent ? NO_TIMEOUT : PROBE_MS } },
    },
  );
  const { promise: lost, resolve: lose } = Promise.withResolvers<Loss>();
  client.onclose = async () => {
    lose({ problem: (await wire.problem()) ?? 'the connection was closed', forgotten: false });
  };
  client.onerror = error => tellOdd(log, name, error);

  let late = false;
  const giveUp = () => void wire.transport.close();
  const stopWatch = clock.after(CONNECT_MS, () => {
    late = true;
    giveUp();
  });
  signal.addEventListener('abort', giveUp);
  try {
    signal.throwIfAborted();
    await client.connect(wire.transport, { ...options, timeout: NO_TIMEOUT });
  } catch (error) {
    await wire.close();
    if (late) throw new NoConnection(`it did not answer within ${CONNECT_MS / 1000} s`, error);
    // What became of the program says more than that nothing goes through to it.
    const problem = isAnswer(error) ? undefined : await wire.problem();
    throw new NoConnection(problem ?? reasonOf(error), error, isNegotiationFailure(error));
  } finally {
    stopWatch();
    signal.removeEventListener('abort', giveUp);
  }
  return keep(client, wire, { lost, lose }, surroundings);
}

function keep(
  client: Client,
  wire: Wire,
  { lost, lose }: Pick<Connection, 'lost' | 'lose'>,
  { name, log, clock, onListChanged, isBusy }: Surroundings,
): Connection {
  const subscription = new Subscription(client, log, name);
  const onBeat = async () => {
    if (await subscription.ensure()) onListChanged();
  };
  const pulse = new Pulse({ client, clock, isBusy, lose, onBeat });
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  void subscription.ensure();
  if (wire.silent) {
    pulse.start();
    client.onerror = error => {
      tellOdd(log, name, error);
      pulse.suspect();
    };
  }
  return {
    client,
    revision: client.getNegotiatedProtocolVersion() ?? '',
    mirrors_headers: wire.silent && client.getProtocolEra() === 'modern',
    lost,
    lose,
    // The end of a program is seen by itself.
    check: async () => (wire.silent ? pulse.check() : undefined),
    async close() {
      pulse.stop();
      await wire.close();
      await client.close();
    },
  };
}

const tellOdd = (log: Log, server: string, error: Error): void =>
  log.debug({ server, problem: reasonOf(error) }, 'an MCP server is odd');
