/** Tests spend caps with concurrent provider requests: on several kernels, and on one (FLEET-4). */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { asked, at, failureOf, questionsOf, running, settingsWith } from '../harness/spending.ts';
import { held, says, stuck } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

afterAll(stopPostgres);

const PATIENT = { timeout: 60_000, interval: 20 };
/** A cap of a dollar allows three provider requests of this price, the last of which exceeds it. */
const PRICE = 0.4;
const CAPPED = { per_day: { usd: 1 } };
/** With a short prompt and at most 100 output tokens, a call may cost some 10 cents: nine fit under the cap. */
const SMALL = { prompt: 'Hi.', max_tokens: 100 };

type Kernel = Pick<FleetKernel | TestKernel, 'api' | 'client'>;

const spentAt = async ({ api }: Kernel) => (await api.get('/v1/stats')).body.caps[0].spent;
const complete = ({ api }: Kernel, body: object = { prompt: 'Hi.' }) => api.post('/v1/complete', body);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof complete>>) =>
  status === 200 ? 'ok' : body.code;

/** A provider whose unscripted responses cost as much as `PRICE`. */
async function dear() {
  const upstream = await startUpstream(() => at(PRICE, says('ok')));
  onTestFinished(() => upstream.close());
  return upstream;
}

async function twoKernels(spend: Parameters<typeof settingsWith>[0] = CAPPED) {
  const upstream = await dear();
  const fleet = await openFleet(upstream);
  const settings = settingsWith(spend, { titles: { enabled: false } });
  return { upstream, kernels: [await fleet.start('a', settings), await fleet.start('b', settings)] as const };
}

/** Starts four turns and four calls at once; returns how each ended. */
async function eightAtOnce(kernels: readonly Kernel[]): Promise<string[]> {
  const one = (n: number) => kernels[n % kernels.length] as Kernel;
  const chats = await Promise.all([0, 1, 2, 3].map(n => one(n).client.createChat()));
  const turns = chats.map(async ({ id }, n) => {
    const events = await one(n).client.say(id, 'Go.');
    return failureOf(events)?.code ?? 'ok';
  });
  const answers = [0, 1, 2, 3].map(async n => codeOf(await complete(one(n))));
  return Promise.all([...turns, ...answers]);
}

const THREE_PASS = [...Array(3).fill('ok'), ...Array(5).fill('spend_cap')];

describe('a shared cap', () => {
  test('[FLEET-4] is exceeded by at most one of eight requests that start together at two kernels', async () => {
    const { upstream, kernels } = await twoKernels();
    expect((await eightAtOnce(kernels)).toSorted()).toEqual(THREE_PASS);
    expect(upstream.requests).toHaveLength(3);
    await expect.poll(() => Promise.all(kernels.map(spentAt)), PATIENT).toContain(3 * PRICE);
  });

  test('[FLEET-4] runs requests that fit in parallel, and delays others until the first end, their caller disconnects, or the kernel of the first is killed', async () => {
    const { upstream, kernels } = await twoKernels();
    const [a, b] = kernels;
    const replies = Array.from({ length: 9 }, () => held({ text: 'ok' }));
    upstream.next(...replies.map(({ reply }) => at(0.01, reply)));
    const answers = replies.map((_, n) => complete(kernels[n % 2]!, SMALL));
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(9);
    // Its estimate exceeds the whole cap.
    const large = complete(kernels[0], { prompt: 'x'.repeat(8000), max_tokens: 10 });
    for (const { go } of replies) go();
    for (const answer of [...answers, large]) expect((await answer).status).toBe(200);
    expect(upstream.requests).toHaveLength(10);

    const first = held({ text: 'ok' });
    upstream.next(at(0.01, first.reply));
    const slow = complete(a);
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(11);
    const chat = await b.client.createChat();
    const stream = await b.client.begin(chat.id, { text: 'Go.' });
    await b.client.cancelTurn(chat.id);
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    first.go();
    expect((await slow).status).toBe(200);
    expect(upstream.requests).toHaveLength(11);

    upstream.next(stuck());
    const lost = complete(a).catch(() => 'lost');
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(12);
    const waiting = complete(b);
    // The model request would have been sent by now: another call of the same kernel has completed.
    expect((await b.api.get('/v1/stats')).status).toBe(200);
    expect(upstream.requests).toHaveLength(12);
    await a.kill();
    expect(await lost).toBe('lost');
    expect((await waiting).status).toBe(200);
    expect(upstream.requests).toHaveLength(13);
  });

  test('[FLEET-4] is raised for all kernels after one question to the turns that reach it together', async () => {
    const { upstream, kernels } = await twoKernels();
    const [a, b] = kernels;
    upstream.next(at(1, says('All.')));
    await a.client.say((await a.client.createChat()).id, 'Go.');
    const first = await asked(a, (await a.client.createChat()).id);
    const chat = await b.client.createChat();
    const second = await b.client.begin(chat.id, { text: 'Go.', questions: true });
    await running(b, chat.id);
    upstream.next(at(0.01, says('ok')), at(0.01, says('ok')), at(0.01, says('ok')));
    expect((await b.client.listRequests()).requests).toMatchObject([{ id: first.call.id }]);
    await first.answer({ question: 0, answer: first.goOn });
    for (const stream of [first.stream, second]) {
      expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    }
    expect([first.stream, second].map(({ events }) => questionsOf(events).length)).toEqual([1, 0]);
    // Both kernels know the raised cap, as does a turn that begins on the other kernel.
    for (const { client } of kernels)
      expect((await client.getStats()).caps).toMatchObject([{ scope: 'day', raised_by: 0.2 }]);
    const later = await b.client.say((await b.client.createChat()).id, 'Go.', { questions: true });
    expect([later.at(-1), questionsOf(later)]).toMatchObject([{ status: 'completed' }, []]);
  });

  test('[FLEET-4] causes a new question after the kernel that asked was killed', async () => {
    const { upstream, kernels } = await twoKernels();
    const [a, b] = kernels;
    upstream.next(at(1, says('All.')));
    await a.client.say((await a.client.createChat()).id, 'Go.');
    await asked(a, (await a.client.createChat()).id);
    const chat = await b.client.createChat();
    const waiting = asked(b, chat.id);
    await running(b, chat.id);
    await a.kill();
    const { stream, answer, goOn } = await waiting;
    upstream.next(at(0.01, says('ok')));
    await answer({ question: 0, answer: goOn });
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  });
});
