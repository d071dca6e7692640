/** Tests which user is found at the other end of a connection, with real sockets. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findPeerUser } from '../src/http/peer-user.ts';

/** Both ends of a connection to a server that listens on an address. */
async function connected(listen: string, to: string): Promise<{ client: Socket; accepted: Socket }> {
  const server = createServer().listen(0, listen);
  await once(server, 'listening');
  const accepting = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, to);
  const [accepted] = (await accepting) as [Socket];
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  return { client, accepted };
}

test.skipIf(process.platform !== 'linux').each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.8.9.10', '127.8.9.10'],
  ['::', '127.0.0.1'],
  ['::', '::ffff:127.0.0.1'],
  ['::1', '::1'],
])('[CONSENT-11] finds the user of a connection to a server on %s at %s', async (listen, to) => {
  const { accepted } = await connected(listen, to);
  expect(await findPeerUser(accepted)).toBe(process.getuid?.());
});

test.skipIf(process.platform !== 'linux')('[CONSENT-11] finds no user of a closed connection', async () => {
  const { client, accepted } = await connected('127.0.0.1', '127.0.0.1');
  const { remoteAddress, remotePort, localAddress, localPort } = accepted;
  accepted.resume();
  client.destroy();
  await once(accepted, 'close');
  expect(await findPeerUser({ remoteAddress, remotePort, localAddress, localPort })).toBeUndefined();
  expect(await findPeerUser({})).toBeUndefined();
});
