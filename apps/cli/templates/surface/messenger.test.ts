/** Tests what module.ts requires of messenger.ts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasArrived, type Incoming, receive, Settings, send } from './messenger.ts';

const folder = mkdtempSync(join(tmpdir(), 'NAME-'));
const settings = Settings.parse({ port: await freePort(), sent_file: join(folder, 'sent.jsonl') });
test.after(() => rmSync(folder, { recursive: true }));

test('confirms a message only after it is stored', async () => {
  const stop = new AbortController();
  const stored: Incoming[] = [];
  let isFull = true;
  const received = receive(
    settings,
    message => {
      if (isFull) throw new Error('The disk is full.');
      stored.push(message);
    },
    stop.signal,
  );
  const message = { id: '1', conversation: 'ann', from: 'ann', text: 'hello' };
  const post = async () => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const body = JSON.stringify(message);
    return (await fetch(`http://127.0.0.1:${settings.port}`, { method: 'POST', headers, body })).ok;
  };
  assert.equal(await post(), false);
  isFull = false;
  assert.equal(await post(), true);
  assert.deepEqual(stored, [message]);
  stop.abort();
  await received;
});

test('reports which messages have arrived', async () => {
  const message = { id: 'a', conversation: 'ann', text: 'hello' };
  assert.equal(await hasArrived(settings, message), false);
  await send(settings, message);
  assert.equal(await hasArrived(settings, message), true);
  assert.equal(await hasArrived(settings, { ...message, id: 'b' }), false);
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
