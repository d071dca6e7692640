/** Tests that attached files reach the client's machine before the model runs, at the paths in their markers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OFFERED } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type Choice, HandsClient } from '../harness/hands.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, stuck } from '../harness/story.ts';
import { bytesOf } from '../harness/varied-bytes.ts';

const PIECE = 512 * 1024;

const kernel = sharedKernel();

/** The directory of the client, new for each test. */
let workdir: string;
beforeEach(() => {
  workdir = directoryOfTest();
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('[OP-2] [FILE-4] an attached file', () => {
  /** Sends the bytes with a message; returns the operations of the client and the path of the file. */
  async function send(bytes: Buffer, decide: () => Choice = () => 'allow') {
    const { api, upstream } = kernel;
    const headers = { 'content-type': 'text/plain', 'x-file-name': 'a.bin' };
    const { id } = (await api.raw('/v1/files', { method: 'POST', headers, body: bytes })).body;
    const path = join(workdir, '.service/files', id, 'a.bin');
    // An older file, which is longer.
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.alloc(bytes.length + 1000, 'old'));
    const chat = await api.newChat({ workdir });
    const hands = new HandsClient(api, { directory: workdir, decide });
    upstream.next(stuck({ text: 'Well' }));
    const { stream, over } = await hands.begin(chat.id, { text: 'See.', files: [{ id }] });
    await stream.until('text_delta');
    onTestFinished(async () => {
      await api.post(`/v1/chats/${chat.id}/cancel`);
      await over;
    });
    return { chat, path, stream, ops: eventsOf(stream.events, 'client_op') };
  }

  const SIZE = 2 * PIECE + 1234;

  test('is written in pieces before the model runs, and replaces an older file completely', async () => {
    const bytes = bytesOf(SIZE);
    const { path, ops, stream } = await send(bytes);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const piece = (at: number, from: number, to: number) => {
      const { op_id } = ops[at] as { op_id: string };
      const data = base64(bytes.subarray(from, to));
      const start = { type: 'client_op', id: op_id, op_id, action: 'write_bytes', path };
      return { ...start, offset: from, data, truncate: from === 0 };
    };
    expect(ops.map(op => JSON.stringify(op))).toEqual(
      [
        { ...piece(0, 0, PIECE), decisions: OFFERED },
        // The decision about the first piece applies to the whole file.
        piece(1, PIECE, 2 * PIECE),
        piece(2, 2 * PIECE, SIZE),
      ].map(wire => JSON.stringify(wire)),
    );
    const types = stream.events.map(({ type }) => type);
    expect(types.indexOf('text_delta')).toBeGreaterThan(types.lastIndexOf('client_op'));
    const prompt = JSON.stringify(kernel.upstream.requests.at(-1)?.body);
    expect(prompt).toContain(`readable at ${path}`);
    expect(prompt).not.toContain('could not be placed at');
  });

  test('is written even if it has no bytes', async () => {
    const { path, ops } = await send(Buffer.alloc(0));
    expect(ops).toMatchObject([{ offset: 0, data: '', truncate: true }]);
    expect(readFileSync(path)).toHaveLength(0);
  });

  test('is in no replay and no item after it is written', async () => {
    const bytes = bytesOf(SIZE);
    const { chat, stream } = await send(bytes);
    const live = await kernel.api.live(chat.id);
    await live.until('text_delta');
    expect(eventsOf(live.events, 'client_op')).toEqual([]);
    expect(live.raw).not.toContain(base64(bytes.subarray(0, 300)));
    expect(live.raw.length).toBeLessThan(20_000);
    const begun = eventsOf(live.events, 'item_started').filter(({ item }) => item.kind === 'client_op');
    expect(begun).toHaveLength(3);
    expect(JSON.stringify(begun)).not.toContain('data');
    expect(eventsOf(live.events, 'request_resolved')).toHaveLength(3);
    // Also for a client that resumes from the middle of it.
    const after = stream.ids[stream.events.findIndex(({ type }) => type === 'client_op')] as string;
    const back = await kernel.api.live(chat.id, '', { 'last-event-id': after });
    await back.until('text_delta');
    expect(back.ids.slice(0, 3)).toEqual(stream.ids.slice(stream.ids.indexOf(after) + 1).slice(0, 3));
    for (const reader of [live, back]) reader.hangUp();
  });

  test('is reported as missing to the model if the user refuses it', async () => {
    const { path, ops } = await send(bytesOf(SIZE), () => 'deny');
    expect(ops).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toMatch(/^old/);
    expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain(
      `The attached file a.bin could not be placed at ${path}. The user declined this operation.`,
    );
  });
});
