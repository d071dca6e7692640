/**
 * A connection to a server: opened in the newest protocol revision that the server speaks, and watched until it is
 * lost.
 */
import type { Clock, Log, OwnerQuestion } from '@chat-kernel/kernel';
import type { McpServerSettings } from '@chat-kernel/protocol';
import { Client, type ConnectOptions, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import packageJson from '../../../package.json' with { type: 'json' };
import { elicited } from '../asking/elicited.ts';
import { OpenCalls } from '../asking/open-calls.ts';
import type { GuestAuth } from '../auth/guest-auth.ts';
import { refusalOf } from '../auth/refusal.ts';
import { isAnswer, isNegotiationFailure, reasonOf } from '../rules/failures.ts';
import { CONNECT_MS, NO_TIMEOUT, PROBE_MS } from '../rules/limits.ts';
import { type GuestWire, type GuestWireDeps, openWire } from '../wires/guest-wire.ts';
import { speaksOldSse } from '../wires/old-sse.ts';
import { type ConnectionLoss, Heartbeat } from './heartbeat.ts';
import { ChangeSubscription } from './subscription.ts';

export interface GuestConnection {
  client: Client;
  /** The calls that run, for what the server asks meanwhile. */
  calls: OpenCalls;
  auth: GuestAuth | null;
  /** Protocol revision, such as 2026-07-28. */
  revision: string;
  /** What the server offers of tasks; null: none. */
  tasks: GuestTasks | null;
  /** The server may want parameters of calls as headers, too. */
  mirrors_headers: boolean;
  /** Resolves when the connection is lost. Never rejects. */
  lost: Promise<ConnectionLoss>;
  /** Declares the connection lost. */
  lose(loss: ConnectionLoss): void;
  /** Asks the server for a sign of life, and declares the connection lost where there is none. */
  check(): Promise<void>;
  /** Ends the connection, and the program that was started for it. Never rejects. */
  close(): Promise<void>;
}

interface GuestTasks {
  cancellable: boolean;
  /** They outlive a line that breaks, so that they pay where a tool leaves the choice. */
  outlive_line: boolean;
}

interface GuestConnectionDeps extends GuestWireDeps {
  auth: GuestAuth | null;
  clock: Clock;
  /** Called when the list of tools has changed. */
  onListChanged(): void;
  /** Whether calls run: a busy server may be slow to answer a heartbeat. */
  isBusy(): boolean;
}

/** There is no connection; the message is a whole sentence. */
export class NoConnection extends Error {
  /** The server may speak an older revision, in which it cannot be asked for it. */
  readonly perhaps_older: boolean;

  constructor(problem: string, cause: unknown, perhaps_older = false) {
    super(problem, { cause });
    this.perhaps_older = perhaps_older;
  }
}

/** @throws NoConnection */
export async function openConnection(
  entry: McpServerSettings,
  deps: GuestConnectionDeps,
  signal: AbortSignal,
): Promise<GuestConnection> {
  try {
    return await tryConnection(entry, deps, signal, {});
  } catch (error) {
    // Some programs of older revisions end at a question that they do not know.
    const older = error instanceof NoConnection && error.perhaps_older;
    if (entry.command === undefined || signal.aborted || !older) throw error;
    return tryConnection(entry, deps, signal, { prior: { kind: 'legacy' } });
  }
}

async function tryConnection(
  entry: McpServerSettings,
  deps: GuestConnectionDeps,
  signal: AbortSignal,
  options: ConnectOptions,
): Promise<GuestConnection> {
  const { name, log, clock } = deps;
  const wire = openWire(entry, deps);
  const client = new Client(
    { name: 'chat-kernel', version: packageJson.version },
    {
      // No sampling, no roots: a guest learns nothing about turns (MCP-2). What it asks the owner, the owner decides (MCP-4).
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: wire.silent ? NO_TIMEOUT : PROBE_MS } },
    },
  );
  const { promise: lost, resolve: lose } = Promise.withResolvers<ConnectionLoss>();
  client.onclose = async () => {
    lose({ problem: (await wire.problem()) ?? 'the connection was closed', forgotten: false });
  };
  client.onerror = error => logOddity(log, name, error);
  const calls = new OpenCalls();
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
    const task = params._meta?.[RELATED_TASK_META_KEY]?.taskId;
    return elicited(name, params, (question: OwnerQuestion) => calls.ask(question, mcpReq.signal, task));
  });

  let late = false;
  const giveUp = () => void wire.transport.close();
  const cancelTimer = clock.after(CONNECT_MS, () => {
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
    const refusal = await refusalOf(error, deps.auth);
    if (refusal !== undefined) throw new NoConnection(refusal, error);
    // The end of the program says more than the error of the connection.
    const problem = isAnswer(error) ? undefined : await wire.problem();
    const old = entry.url !== undefined && !signal.aborted && (await speaksOldSse(entry.url, entry.headers));
    throw new NoConnection(old ? OLD_SSE : (problem ?? reasonOf(error)), error, isNegotiationFailure(error));
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', giveUp);
  }
  return watched(client, wire, { calls, lost, lose }, deps);
}

/** The open connection, with its heartbeat and its subscription to changes. */
function watched(
  client: Client,
  wire: GuestWire,
  { calls, lost, lose }: Pick<GuestConnection, 'calls' | 'lost' | 'lose'>,
  { name, log, clock, auth, onListChanged, isBusy }: GuestConnectionDeps,
): GuestConnection {
  const subscription = new ChangeSubscription(client, log, name);
  const onBeat = async () => {
    if (await subscription.ensure()) onListChanged();
  };
  const heartbeat = new Heartbeat({ client, clock, isBusy, lose, onBeat });
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  void subscription.ensure();
  if (wire.silent) {
    heartbeat.start();
    client.onerror = error => {
      logOddity(log, name, error);
      heartbeat.suspect();
    };
  }
  return {
    client,
    calls,
    auth,
    revision: client.getNegotiatedProtocolVersion() ?? '',
    tasks: tasksOf(client, wire),
    mirrors_headers: wire.silent && client.getProtocolEra() === 'modern',
    lost,
    lose,
    // The end of a program shows without a heartbeat.
    check: async () => (wire.silent ? heartbeat.check() : undefined),
    async close() {
      heartbeat.stop();
      await wire.close();
      await client.close();
    },
  };
}

/** Tasks of later revisions are an extension, with answers that the library refuses. */
function tasksOf(client: Client, wire: GuestWire): GuestTasks | null {
  const offered = client.getServerCapabilities()?.tasks;
  if (client.getProtocolEra() !== 'legacy' || offered?.requests?.tools?.call === undefined) return null;
  return { cancellable: offered.cancel !== undefined, outlive_line: wire.silent };
}

/** Without the address itself, which may hold a key. */
const OLD_SSE =
  'it speaks the old HTTP+SSE wire, which programs can translate: in place of url, give it command: npx and args: [-y, mcp-remote, its url]';

const logOddity = (log: Log, server: string, error: Error): void =>
  log.debug({ server, problem: reasonOf(error) }, 'an MCP server is odd');
