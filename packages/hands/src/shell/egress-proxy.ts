/**
 * The egress proxy of the sandbox: runs in the kernel's process, gets its connections from the relays in the sandbox, and
 * decides about each host.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Internet } from '@chat-kernel/net';
import { RequestError, Server } from 'proxy-chain';
import { type HostList, HostRefused, plain, resolveAddresses, shown } from './hosts.ts';

interface EgressProxy {
  /** Accepts the connection to a relay, which carries those of a command. */
  serve(relay: Socket): void;
  /** Accepts connections on a port of this machine, which it returns, for sandboxes that share the network. */
  listen(): Promise<number>;
  /** The hosts to which connections were allowed. */
  reached: ReadonlySet<string>;
  /** Sentences about the first hosts that were not reached: commands seldom show the proxy's response. */
  failures: ReadonlySet<string>;
  /** Ends all connections. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 256;
const MAX_FAILURES = 10;

/** Whether a command may connect to a host that the settings do not list. */
export type MayReach = (host: string) => Promise<boolean>;

/** @param network `on`: all public hosts to which `mayReach` agrees */
export async function openEgressProxy(
  network: 'on' | HostList,
  internet: Internet,
  mayReach: MayReach = async () => true,
): Promise<EgressProxy> {
  const reached = new Set<string>();
  const failures = new Set<string>();
  const failed = (status: number, sentence: string) => {
    if (failures.size < MAX_FAILURES) failures.add(sentence);
    return new RequestError(`${sentence}\n`, status);
  };
  // Connections are not reused: later requests must be checked as well, and the kernel's own connections must stay
  // separate.
  const httpAgent = new Agent({ keepAlive: false });
  const proxy = new SocketProxy({
    async prepareRequestFunction({ hostname, request }) {
      try {
        // Looking up a name already sends it to servers of its domain.
        const host = plain(hostname);
        if (network === 'on' && !(await mayReach(host)))
          throw new HostRefused(`The user did not allow commands to reach ${shown(hostname)}.`);
        const dnsLookup = pinned(await resolveAddresses(hostname, network, internet));
        reached.add(shown(host));
        // If the client has already disconnected, nothing would end the connection.
        if (!request.socket.destroyed) return { dnsLookup, httpAgent };
      } catch (error) {
        if (error instanceof HostRefused) throw failed(403, error.message);
        throw failed(502, `${shown(hostname)} was not found.`);
      }
      throw new RequestError('', 400);
    },
  });
  proxy.server.maxConnections = MAX_CONNECTIONS;
  const directory = await mkdtemp(join(tmpdir(), 'chat-kernel-'));
  const removed = () => rm(directory, { recursive: true, force: true });
  const socket = join(directory, 'out');
  try {
    proxy.server.listen(socket);
    await once(proxy.server, 'listening');
  } catch (error) {
    await removed();
    throw error;
  }
  const streams = createServer({ settings: { maxConcurrentStreams: MAX_CONNECTIONS } });
  /** The proxy listens on a path, because it needs connections with all properties of a socket. */
  const passOn = (inside: Duplex) => {
    const outside = connect(socket);
    inside.pipe(outside).pipe(inside);
    inside.on('error', () => outside.destroy()).on('close', () => outside.destroy());
    outside.on('error', () => inside.destroy()).on('close', () => inside.destroy());
  };
  streams.on('stream', (inside: ServerHttp2Stream) => {
    inside.respond();
    passOn(inside);
  });
  // A command that ends breaks its connection.
  streams.on('sessionError', () => {});
  const ports = createNetServer(passOn);
  return {
    serve: relay => void streams.emit('connection', relay),
    reached,
    failures,
    async listen() {
      ports.listen(0, '127.0.0.1');
      await once(ports, 'listening');
      return (ports.address() as AddressInfo).port;
    },
    async close() {
      ports.close();
      await proxy.close(true);
      await removed();
    },
  };
}

/** Listens on a path. The library closes connections without an address, which includes those to a path. */
class SocketProxy extends Server {
  override onConnection(socket: Socket): void {
    this.registerConnection(socket as Parameters<Server['registerConnection']>[0]);
    socket.on('error', () => socket.destroy());
  }
}

/** Returns a lookup with one fixed answer. */
const pinned = (addresses: Awaited<ReturnType<typeof resolveAddresses>>) =>
  ((_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first!.address, first!.family);
  }) as LookupFunction as NonNullable<PinnedLookup>;

type PinnedLookup = Extract<
  Awaited<ReturnType<NonNullable<Server['prepareRequestFunction']>>>,
  object
>['dnsLookup'];
