/** Tests files on the machine of a client that are read and searched in pieces while its turn is open. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { ManualClock } from '../harness/clock.ts';
import { OFFERED } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { foldItems } from '../harness/items.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, says, stuck } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';
import { bytesOf } from '../harness/varied-bytes.ts';

const MOST = 4 * 1024 * 1024;

const kernel = sharedKernel();

/** The directory of the client, new for each test. */
let workdir: string;
beforeEach(() => {
  workdir = directoryOfTest();
});

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');

/** Opens a turn of a client with hands until the test ends, with two ways to request its bytes. */
async function openTurn(options: Partial<HandsOptions> = {}, { at = kernel, place = {} } = {}) {
  const { api, client, upstream } = at;
  const chat = await client.createChat({ workdir, ...place });
  const hands = new HandsClient(api, { directory: workdir, ...options });
  upstream.next(stuck({ text: 'Well' }));
  const following = await hands.begin(chat.id, { text: 'Go.' });
  await following.stream.until('text_delta');
  const end = async () => {
    await client.cancelTurn(chat.id);
    await following.over;
  };
  onTestFinished(end);
  const ask = (name: string, body: object) => api.post(`/v1/chats/${chat.id}/ops/${name}`, body);
  return { chat, hands, stream: following.stream, end, read: askToRead(ask), find: askToFind(ask) };
}

type Ask = (name: string, body: object) => ReturnType<ApiClient['post']>;
const askToRead = (ask: Ask) => (path: string, offset: number, size: number) =>
  ask('read_bytes', { path, offset, size });
const askToFind = (ask: Ask) => (path: string, data: string, more: object) =>
  ask('find_bytes', { path, data: base64(data), ...more });

describe('bytes in a file on the client', () => {
  test('[OP-2] are found after an offset, up to a limit', async () => {
    writeFileSync(join(workdir, 'b'), 'aaa-\0-aaa');
    const { find, stream } = await openTurn();
    const found = async (data: string, more: object = {}) => (await find('b', data, more)).body;
    expect(await found('aa')).toEqual({ total: 9, offsets: [0, 1, 6, 7] });
    expect(await found('aa', { offset: 1 })).toEqual({ total: 9, offsets: [1, 6, 7] });
    expect(await found('aa', { offset: 1, limit: 2 })).toEqual({ total: 9, offsets: [1, 6] });
    expect(await found('\0')).toEqual({ total: 9, offsets: [4] });
    expect(await found('x')).toEqual({ total: 9, offsets: [] });
    expect(await found('a', { offset: 100 })).toEqual({ total: 9, offsets: [] });
    const op = eventsOf(stream.events, 'client_op')[2];
    expect(JSON.stringify(op)).toBe(
      JSON.stringify({
        type: 'client_op',
        id: op?.id,
        op_id: op?.id,
        action: 'find_bytes',
        path: join(workdir, 'b'),
        data: base64('aa'),
        offset: 1,
        limit: 2,
        decisions: OFFERED,
      }),
    );
  });

  test('[OP-2] are not searched for if the request is invalid', async () => {
    const { find, read } = await openTurn();
    expect((await find('none', 'a', {})).body).toMatchObject({
      code: 'invalid_value',
      detail: expect.stringContaining('ENOENT'),
    });
    for (const wrong of [{ limit: 0 }, { limit: 10_001 }, { offset: -1 }, { data: '' }, { data: '?' }]) {
      expect((await find('b', 'a', wrong)).body.code).toBe('schema_mismatch');
    }
    expect((await read('b', 0, 0)).body.code).toBe('schema_mismatch');
  });
});

describe("a file on the client's machine", () => {
  test('[OP-12] is read in pieces to its end and no further', async () => {
    const bytes = bytesOf(1_000_003);
    writeFileSync(join(workdir, 'b'), bytes);
    const { read, stream, hands } = await openTurn({ client_id: 'laptop' });
    const pieces: Buffer[] = [];
    for (let offset = 0; offset < bytes.length; offset += 300_000) {
      const { status, body } = await read('b', offset, 300_000);
      expect([status, body.total]).toEqual([200, bytes.length]);
      pieces.push(Buffer.from(body.data, 'base64'));
    }
    expect(pieces.map(({ length }) => length)).toEqual([300_000, 300_000, 300_000, 100_003]);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    for (const offset of [bytes.length, bytes.length + 1, 2 ** 40]) {
      expect((await read('b', offset, 10)).body).toEqual({ total: bytes.length, data: '' });
    }
    expect(JSON.stringify(eventsOf(stream.events, 'client_op')[1])).toBe(
      JSON.stringify({
        type: 'client_op',
        id: hands.done[1]?.op_id,
        op_id: hands.done[1]?.op_id,
        action: 'read_bytes',
        path: join(workdir, 'b'),
        offset: 300_000,
        size: 300_000,
        decisions: OFFERED,
        client_id: 'laptop',
      }),
    );
  });

  test('[OP-12] is read in pieces of up to 4 MiB', async () => {
    writeFileSync(join(workdir, 'b'), Buffer.alloc(MOST + 10, 7));
    const { chat, read } = await openTurn();
    // Not checked against the document: its pattern overflows the validator's stack for such a long text.
    const { body } = await kernel.api.raw(`/v1/chats/${chat.id}/ops/read_bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'b', offset: 5, size: MOST }),
    });
    expect([body.total, Buffer.from(body.data, 'base64').equals(Buffer.alloc(MOST, 7))]).toEqual([
      MOST + 10,
      true,
    ]);
    expect(await read('b', 0, MOST + 1)).toMatchObject({ status: 422, body: { code: 'schema_mismatch' } });
  });

  test('[OP-12] is not read if the user denies it', async () => {
    writeFileSync(join(workdir, 'b'), 'b');
    const { read, end, stream } = await openTurn({ decide: () => 'deny' });
    expect(await read('b', 0, 1)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_path', detail: 'The user declined this operation.' },
    });
    await end();
    expect(foldItems(stream.events).filter(({ kind }) => kind === 'client_op')).toMatchObject([
      { action: 'read_bytes', status: 'failed', decision: 'deny' },
    ]);
  });

  test('[OP-12] returns invalid_value with the message of the client if it does not exist', async () => {
    const { read } = await openTurn();
    for (const [path, words] of [
      ['none', 'ENOENT'],
      ['.', 'EISDIR'],
    ] as const) {
      expect(await read(path, 0, 1)).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_value',
          detail: expect.stringContaining(words),
          errors: [{ pointer: '/path' }],
        },
      });
    }
  });

  test('[OP-12] is resolved from the working directory of the chat if that is on the client', async () => {
    const here = await openTurn();
    await here.read('sub/../b', 0, 1);
    const elsewhere = await openTurn({}, { place: { workdir: '/srv/kernel', workdir_on: 'server' } });
    await elsewhere.read('b', 0, 1);
    const nowhere = await openTurn({}, { place: { workdir: null } });
    await nowhere.read('b', 0, 1);
    const pathsIn = ({ hands }: typeof here) => hands.done.map(({ params }) => params.path);
    expect([here, elsewhere, nowhere].map(pathsIn)).toEqual([[join(workdir, 'b')], ['b'], ['b']]);
  });

  test('[OP-12] is not read if the client does not answer or the turn ends first', async () => {
    const clock = new ManualClock();
    const own = await kernelOf({ clock });
    const { read, stream, end } = await openTurn({ decide: () => 'ignore' }, { at: own });
    const silent = read('b', 0, 1);
    await stream.until('client_op');
    clock.advance(59_999);
    expect((await own.client.listRequests()).requests).toHaveLength(1);
    clock.advance(1);
    expect(await silent).toMatchObject({
      status: 409,
      body: { code: 'no_client', detail: 'No answer came from the client in time.' },
    });
    const cut = read('b', 0, 1);
    await stream.until(() => eventsOf(stream.events, 'client_op').length === 2);
    await end();
    expect(await cut).toMatchObject({ status: 409, body: { code: 'no_client' } });
    expect(eventsOf(stream.events, 'request_resolved').map(({ reason }) => reason)).toEqual([
      'expired',
      'cancelled',
    ]);
  });

  test('[OP-12] is requested only until the caller disconnects', async () => {
    const { chat, stream, hands } = await openTurn({ decide: () => 'ignore' });
    const gone = new AbortController();
    const asking = fetch(`${kernel.api.url}/v1/chats/${chat.id}/ops/read_bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'b', offset: 0, size: 1 }),
      signal: gone.signal,
    }).catch(({ name }) => name);
    const { id } = await stream.until('client_op');
    gone.abort();
    expect(await asking).toBe('AbortError');
    expect(await stream.until('request_resolved')).toMatchObject({ id, reason: 'turn_ended' });
    expect((await kernel.client.listRequests()).requests).toEqual([]);
    expect(hands.done).toEqual([]);
  });

  test('[OP-12] requires an open turn of a client with hands', async () => {
    const { api, client, upstream } = kernel;
    const chat = await client.createChat({ workdir });
    const ask = (name: string, body: object) => api.post(`/v1/chats/${chat.id}/ops/${name}`, body);
    const refused = async () => {
      for (const answer of [await askToRead(ask)('b', 0, 1), await askToFind(ask)('b', 'x', {})]) {
        expect(answer).toMatchObject({ status: 409, body: { code: 'no_client' } });
      }
    };
    await refused();
    upstream.next(stuck({ text: 'Well' }));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    await stream.until('text_delta');
    await refused();
    await client.cancelTurn(chat.id);
    await stream.all();
    upstream.next(says('Done.'));
    await new Terminal(client, { directory: workdir }).turn(chat.id, { text: 'Go.' });
    await refused();
    const missing = '01890000-0000-7000-8000-000000000000';
    const body = { path: '/b', offset: 0, size: 1 };
    await expect(client.readClientBytes(missing, body)).rejects.toMatchObject({ code: 'not_found' });
  });
});
