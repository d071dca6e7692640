/**
 * Opens a connection to a server in the newest protocol revision that the server supports, and watches it until it is
 * lost.
 */
import type { Clock, Log, OwnerQuestion } from '@chat-kernel/kernel';
import type { McpServerSettings } from '@chat-kernel/protocol';
import { Client, type ConnectOptions, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import packageJson from '../../package.json' with { type: 'json' };
import { handleElicitation } from '../asking/handle-elicitation.ts';
import { OpenCalls } from '../asking/open-calls.ts';
import { describeRefusal } from '../auth/describe-refusal.ts';
import type { GuestAuth } from '../auth/guest-auth.ts';
import { describeError, isAnswer, isNegotiationFailure } from '../rules/failures.ts';
import { BEAT_ANSWER_MS, CONNECT_MS, NO_TIMEOUT, PROBE_MS } from '../rules/limits.ts';
import { type GuestWire, type GuestWireDeps, openWire } from '../wires/guest-wire.ts';
import { speaksOldSse } from '../wires/old-sse.ts';
import { type ConnectionLoss, Heartbeat } from './heartbeat.ts';

export interface GuestConnection {
  client: Client;
  /** The running calls, to which questions of the server are assigned. */
  calls: OpenCalls;
  auth: GuestAuth | null;
  /** Protocol revision, such as 2026-07-28. */
  revision: string;
  /** The server's support of tasks; null if it has none. */
  tasks: GuestTasks | null;
  /** Whether the server may require parameters of calls as headers, too. */
  mirrors_headers: boolean;
  /** Resolves when the connection is lost. Never rejects. */
  lost: Promise<ConnectionLoss>;
  /** Declares the connection lost. */
  lose(loss: ConnectionLoss): void;
  /** Sends a heartbeat, and declares the connection lost if there is no answer. */
  check(): Promise<void>;
  /** Ends the connection, and the program that was started for it. Never rejects. */
  close(): Promise<void>;
}

interface GuestTasks {
  cancellable: boolean;
  /** Tasks survive a dropped connection, so they are preferred if a tool supports both. */
  outlive_line: boolean;
}

interface GuestConnectionDeps extends GuestWireDeps {
  auth: GuestAuth | null;
  clock: Clock;
  /** Called when the list of tools has changed. */
  onListChanged(): void;
  /** Whether calls are running: a busy server may answer a heartbeat slowly. */
  isBusy(): boolean;
}

/** Thrown if there is no connection; the message is a complete sentence. */
export class NoConnection extends Error {
  /** Whether the server may use an older revision, which has no request for the revision. */
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
    // Some programs of older revisions exit after a request that they do not know.
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
      // No sampling and no roots: a guest learns nothing about turns (MCP-2). The owner decides about its questions
      // (MCP-4).
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
    return handleElicitation(name, params, (question: OwnerQuestion) =>
      calls.ask(question, mcpReq.signal, task),
    );
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
    if (late) throw new NoConnection(`it did not respond within ${CONNECT_MS / 1000} s`, error);
    const refusal = await describeRefusal(error, deps.auth);
    if (refusal !== undefined) throw new NoConnection(refusal, error);
    // The exit of the program explains more than the error of the connection.
    const problem = isAnswer(error) ? undefined : await wire.problem();
    const old = entry.url !== undefined && !signal.aborted && (await speaksOldSse(entry.url, entry.headers));
    throw new NoConnection(
      old ? OLD_SSE : (problem ?? describeError(error)),
      error,
      isNegotiationFailure(error),
    );
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', giveUp);
  }
  return watched(client, wire, { calls, lost, lose }, deps);
}

/** Adds a heartbeat and a subscription to changes to an open connection. */
function watched(
  client: Client,
  wire: GuestWire,
  { calls, lost, lose }: Pick<GuestConnection, 'calls' | 'lost' | 'lose'>,
  { name, log, clock, auth, onListChanged, isBusy }: GuestConnectionDeps,
): GuestConnection {
  const subscribe = changeSubscriber(client, log, name);
  const onBeat = async () => {
    if (await subscribe()) onListChanged();
  };
  const heartbeat = new Heartbeat({ client, clock, isBusy, lose, onBeat });
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  void subscribe();
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
    tasks: detectTasks(client, wire),
    mirrors_headers: wire.silent && client.getProtocolEra() === 'modern',
    lost,
    lose,
    // The exit of a program is visible without a heartbeat.
    check: async () => (wire.silent ? heartbeat.check() : undefined),
    async close() {
      heartbeat.stop();
      await wire.close();
      await client.close();
    },
  };
}

/** Tasks of later revisions are an extension, with answers that the library rejects. */
function detectTasks(client: Client, wire: GuestWire): GuestTasks | null {
  const offered = client.getServerCapabilities()?.tasks;
  if (client.getProtocolEra() !== 'legacy' || offered?.requests?.tools?.call === undefined) return null;
  return { cancellable: offered.cancel !== undefined, outlive_line: wire.silent };
}

/** Without the address itself, which may contain a key. */
const OLD_SSE =
  'it uses the old HTTP+SSE transport; replace url with command: npx and args: [-y, mcp-remote, its url]';

const logOddity = (log: Log, server: string, error: Error): void =>
  log.debug({ server, problem: describeError(error) }, 'an MCP server violates the protocol');

/**
 * Subscribes to changes of the tools: servers of the newest revision announce them only to subscribers. Returns a
 * function that subscribes if that is possible and not yet done. It never rejects, and resolves with true after a new
 * subscription, because earlier changes may have been missed.
 */
function changeSubscriber(client: Client, log: Log, server: string): () => Promise<boolean> {
  let isSubscribed = false;
  return async () => {
    if (isSubscribed || client.getProtocolEra() !== 'modern') return false;
    if (!client.getServerCapabilities()?.tools?.listChanged) return false;
    isSubscribed = true;
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: BEAT_ANSWER_MS });
      void subscription.closed.then(() => {
        isSubscribed = false;
      });
      return true;
    } catch (error) {
      isSubscribed = false;
      log.debug({ server, problem: describeError(error) }, 'subscribing to changes of an MCP server failed');
      return false;
    }
  };
}
