/**
 * Finds the user whose process is at the other end of a connection over loopback (Linux).
 *
 * Linux formats the tables of sockets for each reader, which takes milliseconds for thousands of sockets. So only
 * one reading runs at a time, in pieces and outside of the event loop, and it serves all connections that were accepted
 * before it began: the cost per second does not grow with the number of connections.
 */
import { open } from 'node:fs/promises';
import { type AddressInfo, isIPv4, SocketAddress } from 'node:net';

/** The sockets of this machine, with their users. */
export const SOCKET_TABLES = ['/proc/net/tcp', '/proc/net/tcp6'] as const;
/** Linux returns at most a page at a time. */
const PIECE_BYTES = 16_384;
/** Linux may leave out a row while other sockets open and close, so a missing row is looked up once more. */
const READINGS = 2;

interface Lookup {
  row: PeerRow;
  resolve(uid: number | undefined): void;
  reject(error: unknown): void;
}

/** Lookups for the next reading. */
let waiting: Lookup[] = [];
let isReading = false;

/**
 * Resolves with the user id of the other end. Undefined if it is unknown: the socket is closed already, or it is not on
 * this machine.
 */
export async function findPeerUser(ends: Ends): Promise<number | undefined> {
  const row = toPeerRow(ends);
  if (row === undefined) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  waiting.push({ row, resolve, reject });
  if (!isReading) void answerWaiting();
  return promise;
}

async function answerWaiting(): Promise<void> {
  isReading = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    try {
      let missing = batch;
      for (let reading = 0; reading < READINGS; reading++) {
        missing = await answerFrom(SOCKET_TABLES[0], missing, ({ row }) => row.tcp);
        missing = await answerFrom(SOCKET_TABLES[1], missing, ({ row }) => row.tcp6);
      }
      for (const { resolve } of missing) resolve(undefined);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  isReading = false;
}

/** Answers the lookups whose row is in a table, and resolves with the others. */
async function answerFrom(
  table: string,
  batch: readonly Lookup[],
  beginning: (lookup: Lookup) => string | undefined,
): Promise<Lookup[]> {
  const wanted = new Map<string, Lookup[]>();
  for (const lookup of batch) {
    const key = beginning(lookup);
    if (key !== undefined) wanted.set(key, [...(wanted.get(key) ?? []), lookup]);
  }
  const answered = new Set<Lookup>();
  const [{ length } = ''] = wanted.keys();
  if (wanted.size > 0) {
    await readRows(table, row => {
      // The number of the row, local_address, rem_address, st, queues, tr:tm->when, retrnsmt, uid, timeout, inode.
      const start = row.indexOf(': ') + 2;
      const key = row.slice(start, start + length);
      const found = wanted.get(key);
      if (found === undefined) return true;
      wanted.delete(key);
      const [, , , , , uid, , inode] = row.slice(start + length).split(/ +/);
      for (const lookup of found) {
        answered.add(lookup);
        // A closed socket has no inode, and the table names root as its user.
        lookup.resolve(inode === '0' ? undefined : Number(uid));
      }
      return wanted.size > 0;
    });
  }
  return batch.filter(lookup => !answered.has(lookup));
}

/** @param onRow returns false to end the reading */
async function readRows(table: string, onRow: (row: string) => boolean): Promise<void> {
  const file = await open(table);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let rest = '';
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      const rows = (rest + piece.toString('latin1', 0, bytesRead)).split('\n');
      rest = rows.pop()!;
      for (const row of rows) if (!onRow(row)) return;
    }
  } finally {
    await file.close();
  }
}

const MAPPED = '::ffff:';

/** The ends of a connection, as a socket names them. */
export interface Ends {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localAddress?: string | undefined;
  localPort?: number | undefined;
}

/** How the row of the other end begins in each table, which has that end first. */
export interface PeerRow {
  /** Undefined for a connection over IPv6. */
  tcp: string | undefined;
  /** Both ends of a connection over IPv4 can be sockets for IPv6. */
  tcp6: string;
}

/** Returns undefined for a socket that is closed. */
export function toPeerRow({ remoteAddress, remotePort, localAddress, localPort }: Ends): PeerRow | undefined {
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return undefined;
  const peer = { address: remoteAddress, port: remotePort };
  const own = { address: localAddress, port: localPort };
  const [from, to] = [writeIPv4(peer), writeIPv4(own)];
  return { tcp: from && to && `${from} ${to}`, tcp6: `${writeIPv6(peer)} ${writeIPv6(own)}` };
}

type Address = Pick<AddressInfo, 'address' | 'port'>;

/** As the table for IPv4 has it, or undefined for other addresses. */
function writeIPv4({ address, port }: Address): string | undefined {
  const plain = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (!isIPv4(plain)) return undefined;
  return `${writeWord(plain.split('.').map(Number))}:${writePort(port)}`;
}

function writeIPv6({ address, port }: Address): string {
  const words = [0, 4, 8, 12].map(start => writeWord(toBytes(address).slice(start, start + 4)));
  return `${words.join('')}:${writePort(port)}`;
}

/** The 16 bytes of an address; those of IPv4 are mapped. */
function toBytes(address: string): number[] {
  if (isIPv4(address)) return [...Array(10).fill(0), 0xff, 0xff, ...address.split('.').map(Number)];
  const mapped = address.startsWith(MAPPED) && address.slice(MAPPED.length);
  if (mapped && isIPv4(mapped)) return toBytes(mapped);
  const [head = '', tail] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text = '') =>
    text
      .split(':')
      .filter(Boolean)
      .map(group => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail)];
  const all: number[] = [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
  return all.flatMap(group => [group >> 8, group & 0xff]);
}

/** Four bytes as the kernel prints them: a number in the byte order of the machine, which is little-endian. */
const writeWord = (bytes: readonly number[]) =>
  bytes
    .toReversed()
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
const writePort = (port: number) => port.toString(16).padStart(4, '0').toUpperCase();
