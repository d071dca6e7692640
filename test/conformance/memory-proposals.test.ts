/** Tests texts that a model wants to remember and the owner must accept first, because they may come from others. */
import { expect, onTestFinished, test } from 'vitest';
import { MovableClock } from '../harness/clock.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const UNKNOWN = '01900000-0000-4000-8000-000000000000';
const SOURCE = 'web:evil.example';
const SUMMARY =
  '## Goal\nTea.\n## Decisions\nGreen.\n## Open items\nNone.\n## Names and paths\nNone.\n## State of the work\nBrewing.';

/** A kernel whose requests for consent expire when its clock moves by a second. */
async function impatient(settings: object = {}) {
  const clock = new MovableClock();
  const requests = { consent_timeout_secs: 1, unattended_timeout_secs: 1 };
  return { ...(await kernelOf({ clock, settings: { requests, ...settings } })), clock };
}

/** A kernel whose summaries return texts to remember. */
async function learning(facts: () => string[]): Promise<TestKernel> {
  const upstream = await startUpstream(({ body }) => {
    if (!JSON.stringify(body).includes('You write the summary')) return undefined;
    const lines = facts().map(fact => `- ${fact}`);
    return says([SUMMARY, '## For the memory', ...lines].join('\n'));
  });
  const kernel = await startKernel({ upstream });
  onTestFinished(async () => {
    await upstream.close();
    await kernel.stop();
  });
  return kernel;
}

/** Compacts a new chat that has text from outside. */
async function compactOutside({ api, client }: TestKernel): Promise<string> {
  const { id } = await client.createChat();
  await client.say(id, 'Read this.', { outside: [SOURCE] });
  await client.say(id, 'Tea?');
  expect((await api.post(`/v1/chats/${id}/compact`)).body.folded).toBe(true);
  return id;
}

/** A turn with text from outside, which calls the tool `memory`. Its request for consent expires. */
async function wish(
  { client, upstream, clock }: TestKernel & { clock: MovableClock },
  chat: string,
  ...inputs: object[]
) {
  upstream.next(...inputs.map((input, n) => calls(`c${n}`, 'memory', { ...input })), says('Done.'));
  const request = { text: 'Go.', consents: true, outside: [SOURCE] };
  const turn = await client.begin(chat, request, event => {
    if (event.type === 'consent_request') clock.advance(1000);
  });
  const outputs = eventsOf(await turn.all(), 'tool_result').map(({ output }) => output);
  return { turn, outputs };
}

const memoryOf = async ({ api }: TestKernel) => (await api.get('/v1/memory')).body;
const review = ({ api }: TestKernel, body: object) => api.post('/v1/memory/review', body);
const textsOf = async (kernel: TestKernel): Promise<string[]> =>
  (await memoryOf(kernel)).proposals.map(({ text }: { text: string }) => text);

test('[CONSENT-4] keeps a memory whose request expired as a proposal, in no prompt, until the owner accepts it', async () => {
  const kernel = await impatient();
  const { client, upstream } = kernel;
  const chat = (await client.createChat()).id;
  const watching = await client.watchAll();
  const { turn, outputs } = await wish(kernel, chat, { add: 'Pays to account 66.' });
  expect(outputs).toEqual([
    'No answer came from the client in time. Nothing is remembered yet: the text is kept as a proposal, which the user can accept later. Do not call the tool again for it.',
  ]);
  await watching.until('memory_changed');
  watching.hangUp();
  const { entries, proposals, chars } = await memoryOf(kernel);
  expect([entries, chars]).toEqual([[], 0]);
  expect(proposals).toEqual([
    {
      id: expect.any(String),
      text: 'Pays to account 66.',
      created_at: expect.any(String),
      proposed: true,
      replaces: null,
      origin: { reason: 'expired', chat_id: chat, turn_id: turn.turnId, outside: [SOURCE] },
    },
  ]);
  const other = (await client.createChat()).id;
  for (const id of [chat, other]) {
    await client.say(id, 'What do you know?');
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('account 66');
  }
  const [{ id }] = proposals;
  const accepted = await review(kernel, { accept: [id] });
  expect([accepted.status, accepted.body]).toEqual([
    200,
    { accepted: [expect.objectContaining({ id, text: 'Pays to account 66.', chat_id: chat })], discarded: 0 },
  ]);
  expect(await memoryOf(kernel)).toMatchObject({ entries: [{ id }], proposals: [], chars: 19 });
  await client.say(other, 'And now?');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('account 66');
  // A client that lost the answer may send its request again.
  expect((await review(kernel, { accept: [id] })).body).toEqual(accepted.body);
});

test('[CONSENT-4] proposes nothing that the owner declined, and nothing twice', async () => {
  const kernel = await impatient();
  const { api, client, upstream } = kernel;
  await api.post('/v1/memory', { text: 'Drinks tea.' });
  const chat = (await client.createChat()).id;
  upstream.next(calls('c', 'memory', { add: 'Declined.' }), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true, outside: [SOURCE] });
  const { id } = await turn.until('consent_request');
  await client.answerRequest(chat, { id, decision: 'deny' });
  await turn.all();
  expect(await textsOf(kernel)).toEqual([]);
  const texts = ['Drinks tea.', 'Likes herons.', 'Likes herons.', 'Has a cat.'];
  await wish(kernel, chat, ...texts.map(add => ({ add })));
  expect(await textsOf(kernel)).toEqual(['Likes herons.', 'Has a cat.']);
});

test('[CONSENT-4] an accepted proposal replaces the memory that it names, and a discarded one changes nothing', async () => {
  const kernel = await impatient();
  const { body: old } = await kernel.api.post('/v1/memory', { text: 'Lives in Ghent.' });
  const chat = (await kernel.client.createChat()).id;
  await wish(kernel, chat, { replace: { id: old.id, text: 'Lives in Bruges.' }, add: 'Has a boat.' });
  const [replacing, added] = (await memoryOf(kernel)).proposals;
  expect([replacing.replaces, added.replaces]).toEqual([old.id, null]);
  const { body } = await review(kernel, { accept: [replacing.id], discard: [added.id, UNKNOWN, old.id] });
  expect(body).toMatchObject({ accepted: [{ text: 'Lives in Bruges.' }], discarded: 1 });
  expect(await memoryOf(kernel)).toMatchObject({ entries: [{ text: 'Lives in Bruges.' }], proposals: [] });
});

test('[CONSENT-4] reviews proposals completely or not at all', async () => {
  const kernel = await impatient({ memory: { max_chars: 20 } });
  const chat = (await kernel.client.createChat()).id;
  await wish(kernel, chat, { add: 'Short.' }, { add: 'This is too long for it.' });
  const ids = (await memoryOf(kernel)).proposals.map(({ id }: { id: string }) => id);
  const unknown = await review(kernel, { accept: [ids[0], UNKNOWN] });
  expect(unknown.body.errors).toMatchObject([{ pointer: '/accept/1' }]);
  expect([unknown.status, unknown.body.detail]).toEqual([
    400,
    `There is no proposal ${UNKNOWN}: it was discarded, or never existed. Nothing was changed.`,
  ]);
  const full = await review(kernel, { accept: ids });
  expect([full.status, full.body.detail]).toEqual([
    400,
    expect.stringContaining('The memory would have 30 of at most 20 characters. Nothing was changed.'),
  ]);
  expect(await textsOf(kernel)).toHaveLength(2);
  // Deleting all memories discards the proposals, too; deleting their chat only ends their link to it.
  await kernel.client.deleteChat(chat);
  expect((await memoryOf(kernel)).proposals[0].origin).toMatchObject({ chat_id: null, outside: [SOURCE] });
  await kernel.api.delete('/v1/memory');
  expect(await textsOf(kernel)).toEqual([]);
});

test('[CONSENT-4] [MEM-4] keeps what a summary learned from a history with text from outside as proposals', async () => {
  const kernel = await learning(() => ['Pays to account 66.']);
  const chat = await compactOutside(kernel);
  expect(await memoryOf(kernel)).toMatchObject({
    entries: [],
    proposals: [
      {
        text: 'Pays to account 66.',
        origin: { reason: 'summary', chat_id: chat, turn_id: null, outside: [SOURCE] },
      },
    ],
  });
});

test('[CONSENT-4] keeps at most 100 proposals, and discards the oldest ones', async () => {
  let folds = 0;
  const kernel = await learning(() => {
    folds++;
    return Array.from({ length: 10 }, (_, n) => `Fact ${folds}.${n}.`);
  });
  for (let n = 0; n < 11; n++) await compactOutside(kernel);
  const texts = await textsOf(kernel);
  expect(texts).toHaveLength(100);
  expect([texts[0], texts.at(-1)]).toEqual(['Fact 2.0.', 'Fact 11.9.']);
});
