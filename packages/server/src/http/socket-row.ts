/** Formats the ends of a connection as /proc/net/tcp and /proc/net/tcp6 have them. */
import { type AddressInfo, isIPv4, SocketAddress } from 'node:net';

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
