/**
 * Tests the delivery of attached files to the machine of a client with hands: their paths, and what the model learns
 * about them.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { OFFERED } from '../harness/decision.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { eventsOf, held } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

const PIECE = 512 * 1024;
const REFUSED = 'The user declined this operation.';
const NO_ANSWER = 'No answer came from the client in time.';

const clock = new ManualClock();
let kernel: TestKernel;
let upstream: Upstream;
/** Called when a request reaches the model, before the response. */
let whenAsked = () => {};
beforeAll(async () => {
  upstream = await startUpstream(() => {
    whenAsked();
    return undefined;
  });
  kernel = await startKernel({ clock, upstream });
});
afterAll(async () => {
  await upstream.close();
  await kernel.stop();
});

let workdir: string;
let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
  workdir = realpathSync(directory.path);
});
afterEach(() => {
  whenAsked = () => {};
  directory.remove();
});

interface Uploaded {
  id: string;
  name: string;
}

async function upload(body: string | Buffer, name: string): Promise<Uploaded> {
  const headers = { 'content-type': 'application/octet-stream', 'x-file-name': encodeURIComponent(name) };
  const answer = await kernel.api.raw('/v1/files', { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const handsOf = (options: Partial<HandsOptions> = {}) =>
  new HandsClient(kernel.api, { directory: workdir, ...options });

/** A turn of this client that waits behind another one; `run` runs it to its end. */
async function queued(chatId: string, hands: HandsClient, body: { files: { id: string }[] }) {
  const slow = held({ text: 'Done.' });
  upstream.next(slow.reply);
  const first = await kernel.client.begin(chatId, { text: 'Wait.' });
  const { stream, over } = await hands.begin(chatId, body);
  await stream.until('queued');
  expect(hands.done).toEqual([]);
  return async () => {
    slow.go();
    await first.all();
    await over;
  };
}

const placeOf = ({ id, name }: Uploaded, start = `${workdir}/`) => `${start}.service/files/${id}/${name}`;

/** The whole text of the last request. */
const said = (): string => JSON.stringify(upstream.requests.at(-1)?.body.messages);

/** The blocks of the stored messages of a chat, by message. */
async function stored(chatId: string): Promise<object[][]> {
  const { messages } = await kernel.client.listMessages(chatId);
  return messages.map(({ content }: { content: object[] }) => content);
}

test('[MARK-4] writes the file to the path of its marker before the model request', async () => {
  const file = await upload('the content\n', 'Bericht – März.txt');
  const chat = await kernel.client.createChat({ workdir });
  const path = placeOf(file);
  let there = '';
  whenAsked = () => {
    there = readFileSync(path, 'utf8');
  };
  const hands = handsOf();
  const events = await hands.turn(chat.id, { text: 'Read.', files: [{ id: file.id }] });
  expect(there).toBe('the content\n');
  const marker = `[file ${file.id}] Bericht – März.txt (12 B) — readable at ${path}`;
  expect(await stored(chat.id)).toEqual([
    [
      { type: 'text', text: 'Read.' },
      { type: 'text', text: marker },
    ],
    [{ type: 'text', text: 'ok' }],
  ]);
  expect(said()).toContain(marker);
  expect(said()).not.toContain('the content');
  expect(hands.done).toMatchObject([
    {
      action: 'write_bytes',
      params: { path, offset: 0, data: Buffer.from('the content\n').toString('base64'), truncate: true },
      decisions: OFFERED,
      decision: 'allow',
      status: 200,
    },
  ]);
  expect(eventsOf(events, 'tool_call')).toEqual([]);
  expect((await kernel.client.items(chat.id))[0]).toMatchObject({
    kind: 'user_message',
    attachments: [{ kind: 'file', url: `/files/${file.id}` }],
  });
});

test('[OP-2] [OP-4] sends a large file in pieces, and asks only for the first one', async () => {
  const bytes = randomBytes(1_300_000);
  const file = await upload(bytes, 'large.bin');
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf();
  await hands.turn(chat.id, { files: [{ id: file.id }] });
  expect(readFileSync(placeOf(file)).equals(bytes)).toBe(true);
  expect(
    hands.done.map(({ params, decisions }) => [params.offset, params.truncate, decisions?.length]),
  ).toEqual([
    [0, true, 4],
    [PIECE, false, undefined],
    [2 * PIECE, false, undefined],
  ]);
  expect((await stored(chat.id))[0]).toEqual([
    { type: 'text', text: `[file ${file.id}] large.bin (1.3 MB) — readable at ${placeOf(file)}` },
  ]);
});

test('[OP-2] [OP-14] delivers an empty file and a file of exactly one piece by one decision for the session', async () => {
  const [empty, whole] = [await upload('', 'empty.txt'), await upload(Buffer.alloc(PIECE, 'x'), 'whole.txt')];
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf({ decide: () => 'allow_session' });
  await hands.turn(chat.id, { files: [{ id: empty.id }, { id: whole.id }] });
  expect(readFileSync(placeOf(empty), 'utf8')).toBe('');
  expect(readFileSync(placeOf(whole), 'utf8')).toBe('x'.repeat(PIECE));
  expect(hands.done.map(({ decision }) => decision)).toEqual(['allow_session', undefined]);
});

test('[MARK-4] uses a Windows path on Windows', async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir: 'C:\\Users\\Ann' });
  const hands = handsOf();
  await hands.turn(chat.id, { files: [{ id: file.id }] });
  const path = `C:\\Users\\Ann\\.service\\files\\${file.id}\\a.txt`;
  expect(hands.done).toMatchObject([{ params: { path } }]);
  expect((await stored(chat.id))[0]).toEqual([
    { type: 'text', text: `[file ${file.id}] a.txt (1 B) — readable at ${path}` },
  ]);
});

test("[MARK-4] starts the path at the client's folder if the chat has no working directory", async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat();
  await handsOf().turn(chat.id, { files: [{ id: file.id }] });
  expect(readFileSync(placeOf(file), 'utf8')).toBe('x');
  expect((await stored(chat.id))[0]).toEqual([
    { type: 'text', text: `[file ${file.id}] a.txt (1 B) — readable at ${placeOf(file, '')}` },
  ]);
});

test('[MARK-4] [FILE-4] sends no operation to a client without hands, and uses the path of the kernel', async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const events = await kernel.client.say(chat.id, 'Read.', { files: [{ id: file.id }] });
  expect(eventsOf(events, 'client_op')).toEqual([]);
  expect(said()).toMatch(/readable at \/.*\/a\.txt/);
  expect(said()).not.toContain(placeOf(file));
  expect(existsSync(placeOf(file))).toBe(false);
});

test.each<[string, Partial<HandsOptions>, string]>([
  ['is refused', { decide: () => 'deny' }, REFUSED],
  ['is not understood', { knows: ['read', 'write', 'shell'] }, 'unknown op action'],
  ['fails', { decide: () => ({ error: 'The disk is full.' }) }, 'The disk is full.'],
])('[FILE-4] [OP-5] [OP-6] tells the model about a delivery that %s, and continues the turn', async (_, options, why) => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const events = await handsOf(options).turn(chat.id, { text: 'Read.', files: [{ id: file.id }] });
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  const told = `The attached file a.txt could not be placed at ${placeOf(file)}. ${why}`;
  expect((await stored(chat.id))[1]).toEqual([{ type: 'context', text: told }]);
  expect(upstream.requests.at(-1)?.body.messages.at(-1).role).toBe('user');
  expect(said()).toContain(told);
  expect((await kernel.client.items(chat.id)).map(({ kind }) => kind)).toEqual([
    'user_message',
    'agent_message',
  ]);
  expect(existsSync(placeOf(file))).toBe(false);
});

test('[FILE-4] delivers the other files if one is refused', async () => {
  const [no, yes] = [await upload('no', 'no.txt'), await upload('yes', 'yes.txt')];
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf({
    decide: ({ params }) => (String(params.path).endsWith('no.txt') ? 'deny' : 'allow'),
  });
  await hands.turn(chat.id, { files: [{ id: no.id }, { id: yes.id }] });
  expect(readFileSync(placeOf(yes), 'utf8')).toBe('yes');
  expect((await stored(chat.id))[1]).toEqual([
    { type: 'context', text: `The attached file no.txt could not be placed at ${placeOf(no)}. ${REFUSED}` },
  ]);
});

test('[OP-10] [FILE-4] waits at most a minute for all files together if the client does not answer', async () => {
  const [one, two] = [await upload('1', '1.txt'), await upload('2', '2.txt')];
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf({ decide: () => 'ignore' });
  const { stream } = await hands.begin(chat.id, { files: [{ id: one.id }, { id: two.id }] });
  const { id } = await stream.until('client_op');
  clock.advance(59_999);
  expect((await kernel.client.listRequests()).requests).toMatchObject([{ id }]);
  clock.advance(1);
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([{ id, reason: 'expired' }]);
  expect(events.at(-1)).toMatchObject({ status: 'completed' });
  expect((await stored(chat.id))[1]).toEqual(
    [one, two].map(file => ({
      type: 'context',
      text: `The attached file ${file.name} could not be placed at ${placeOf(file)}. ${NO_ANSWER}`,
    })),
  );
});

test('[FILE-4] reports a failure if the client wrote other content', async () => {
  const file = await upload('four', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const stream = await kernel.client.begin(chat.id, { client_ops: true, files: [{ id: file.id }] });
  const { id } = await stream.until('client_op');
  const answer = { id, decision: 'allow', result: { total: 3 } };
  expect((await kernel.api.post(`/v1/chats/${chat.id}/ops/result`, answer)).status).toBe(200);
  expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  const why = 'The client wrote 3 bytes instead of 4.';
  expect((await stored(chat.id))[1]).toEqual([
    { type: 'context', text: `The attached file a.txt could not be placed at ${placeOf(file)}. ${why}` },
  ]);
});

test('[FILE-4] does not deliver a file again in the next turn', async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf();
  await hands.turn(chat.id, { files: [{ id: file.id }] });
  await hands.turn(chat.id, { text: 'And?' });
  expect(hands.done).toHaveLength(1);
  expect(said()).toContain(placeOf(file));
});

test('[FILE-4] [TURN-12] delivers the files of a queued turn when it runs', async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const run = await queued(chat.id, handsOf(), { files: [{ id: file.id }] });
  let there = false;
  whenAsked = () => {
    there = existsSync(placeOf(file));
  };
  await run();
  expect(there).toBe(true);
});

test("[FILE-4] delivers nothing if the chat has moved to the kernel's machine, and gives the model the path there", async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const hands = handsOf();
  const run = await queued(chat.id, hands, { files: [{ id: file.id }] });
  const moved = temporaryDirectory();
  onTestFinished(moved.remove);
  await kernel.client.setWorkdir(chat.id, { workdir: moved.path, workdir_on: 'server' });
  await run();
  expect(hands.done).toEqual([]);
  const told = `The attached file a.txt could not be placed at ${placeOf(file)}. The chat now works on another machine, where the file is at `;
  expect(said()).toContain(told);
  const [path = ''] = /^\/[^"]*\/a\.txt(?=\.")/.exec(said().split(told)[1] ?? '') ?? [];
  expect(readFileSync(path, 'utf8')).toBe('x');
});

test('[TURN-10] [EV-13] cancels a delivery at once, before the model request', async () => {
  const file = await upload('x', 'a.txt');
  const chat = await kernel.client.createChat({ workdir });
  const asked = upstream.requests.length;
  const { stream } = await handsOf({ decide: () => 'ignore' }).begin(chat.id, { files: [{ id: file.id }] });
  const { id } = await stream.until('client_op');
  await kernel.client.cancelTurn(chat.id);
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([{ id, reason: 'cancelled' }]);
  expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
  expect(upstream.requests.length).toBe(asked);
  expect((await stored(chat.id)).flat()).not.toContainEqual(expect.objectContaining({ type: 'context' }));
});
