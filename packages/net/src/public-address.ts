/**
 * Decides which network addresses are public: those of this machine and of the networks around it are not (PUSH-4,
 * WHO-7).
 */
import { BlockList, isIP } from 'node:net';

const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(network, bits, 'ipv4');
// Inside of 2000::/3: tunnels, which may end anywhere, and documentation examples.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6');

/** The public range of IPv6. */
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/** Accepts a numeric address; anything else is not public. */
export function isPublicAddress(address: string): boolean {
  // An address may end with the name of a network interface.
  const [bare = ''] = address.split('%', 1);
  const family = isIP(bare);
  if (family === 4) return !notPublic.check(bare, 'ipv4');
  // A name should never resolve to an IPv4-mapped IPv6 address (::ffff:10.0.0.1).
  return family === 6 && givenOut.check(bare, 'ipv6') && !notPublic.check(bare, 'ipv6');
}
