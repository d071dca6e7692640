/** Which addresses of the network are public: those of this machine and of the networks around it are not (PUSH-4, WHO-7). */
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
// Inside of 2000::/3: tunnels, which may end anywhere, and examples.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6');

/** All that is given out to the public of IPv6. */
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/** Of an address in digits; what is none is not public. */
export function isPublicAddress(address: string): boolean {
  // The name of a network card may stand behind it.
  const [bare = ''] = address.split('%', 1);
  const family = isIP(bare);
  if (family === 4) return !notPublic.check(bare, 'ipv4');
  // An IPv4 address in the clothes of IPv6 (::ffff:10.0.0.1) is none that a name should lead to.
  return family === 6 && givenOut.check(bare, 'ipv6') && !notPublic.check(bare, 'ipv6');
}
