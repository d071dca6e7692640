/** The way out of the sandbox: a proxy in the kernel's process, behind a socket on the disk, which decides about each host. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError, Server } from 'proxy-chain';
import { addressesOf, type HostList, HostRefused, type Internet, shown } from './hosts.ts';

interface WayOut {
  /** The path of the socket; only this user may enter its directory. */
  socket: string;
  /** Sentences about the hosts that were not reached, the first few: a command seldom shows what a proxy answers. */
  failures: ReadonlySet<string>;
  /** Ends all connections. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 256;
const MOST_FAILURES = 10;

/** @param network `on`: all public hosts */
export async function openWayOut(network: 'on' | HostList, internet: Internet): Promise<WayOut> {
  const failures = new Set<string>();
  const failed = (status: number, sentence: string) => {
    if (failures.size < MOST_FAILURES) failures.add(sentence);
    return new RequestError(`${sentence}\n`, status);
  };
  // Connections are not kept: a later request has to be looked at, too, and the kernel's own have nothing to do with it.
  const httpAgent = new Agent({ keepAlive: false });
  const proxy = new SocketProxy({
    async prepareRequestFunction({ hostname, request }) {
      try {
        const dnsLookup = pinned(await addressesOf(hostname, network, internet));
        // Whoever asked may be gone by now, and then nobody would end the connection.
        if (!request.socket.destroyed) return { dnsLookup, httpAgent };
      } catch (error) {
        if (error instanceof HostRefused) throw failed(403, error.message);
        throw failed(502, `${shown(hostname)} was not found.`);
      }
      throw new RequestError('', 400);
    },
  });
  proxy.server.maxConnections = MOST_CONNECTIONS;
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
  return {
    socket,
    failures,
    async close() {
      await proxy.close(true);
      await removed();
    },
  };
}

/** Listens on a path. The library closes connections that have no address, as those of a path have none. */
class SocketProxy extends Server {
  override onConnection(socket: Socket): void {
    this.registerConnection(socket as Parameters<Server['registerConnection']>[0]);
    socket.on('error', () => socket.destroy());
  }
}

/** A lookup that knows one answer. */
const pinned = (addresses: Awaited<ReturnType<typeof addressesOf>>) =>
  ((_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first!.address, first!.family);
  }) as LookupFunction as NonNullable<PinnedLookup>;

type PinnedLookup = Extract<
  Awaited<ReturnType<NonNullable<Server['prepareRequestFunction']>>>,
  object
>['dnsLookup'];
