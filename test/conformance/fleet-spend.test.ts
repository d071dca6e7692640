/** Caps on spending under trips that start together: at several kernels, and in one (FLEET-4). */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { at, failureOf, settingsWith, start } from '../harness/spending.ts';
import { held, says, stuck } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

afterAll(stopPostgres);

const PATIENT = { timeout: 60_000, interval: 20 };
/** Under a cap of a dollar three trips of this price may be made, the last of which passes it. */
const PRICE = 0.4;
const CAPPED = { per_day: { usd: 1 } };
/** With a prompt of a few tokens and an answer of 100 at most, a call may cost some 10 cents: nine fit under the cap. */
const SMALL = { prompt: 'Hi.', max_tokens: 100 };

type Kernel = Pick<FleetKernel | TestKernel, 'api' | 'client'>;

const spentAt = async ({ api }: Kernel) => (await api.get('/v1/stats')).body.caps[0].spent;
const complete = ({ api }: Kernel, body: object = { prompt: 'Hi.' }) => api.post('/v1/complete', body);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof complete>>) =>
  status === 200 ? 'ok' : body.code;

/** A provider whose unscripted answers cost as much as `PRICE`. */
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

/** Starts turns and calls at once, four of each; returns how each ended. */
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

describe('a cap of all', () => {
  test('[FLEET-4] is passed by one trip at most, of eight that start together at two kernels', async () => {
    const { upstream, kernels } = await twoKernels();
    expect((await eightAtOnce(kernels)).toSorted()).toEqual(THREE_PASS);
    expect(upstream.requests).toHaveLength(3);
    await expect.poll(() => Promise.all(kernels.map(spentAt)), PATIENT).toContain(3 * PRICE);
  });

  test('is passed by one trip at most, of eight that start together in one kernel', async () => {
    const kernel = await start(CAPPED, { upstream: await dear() });
    expect((await eightAtOnce([kernel])).toSorted()).toEqual(THREE_PASS);
    expect(kernel.upstream.requests).toHaveLength(3);
    expect(await spentAt(kernel)).toBeCloseTo(3 * PRICE);
  });

  test('[FLEET-4] lets side by side what fits under it, and what does not waits and is not refused', async () => {
    const { upstream, kernels } = await twoKernels();
    const replies = Array.from({ length: 9 }, () => held({ text: 'ok' }));
    upstream.next(...replies.map(({ reply }) => at(0.01, reply)));
    const answers = replies.map((_, n) => complete(kernels[n % 2]!, SMALL));
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(9);
    // More than all of the cap, by its estimate.
    const large = complete(kernels[0], { prompt: 'x'.repeat(8000), max_tokens: 10 });
    for (const { go } of replies) go();
    for (const answer of [...answers, large]) expect((await answer).status).toBe(200);
    expect(upstream.requests).toHaveLength(10);
  });

  test('[FLEET-4] gets back what a kernel had reserved that was killed', async () => {
    const { upstream, kernels } = await twoKernels();
    const [a, b] = kernels;
    upstream.next(stuck());
    const lost = complete(a).catch(() => 'lost');
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(1);
    const waiting = complete(b);
    // It would have been asked by now: another call of the same kernel has come and gone.
    expect((await b.api.get('/v1/stats')).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
    await a.kill();
    expect(await lost).toBe('lost');
    expect((await waiting).status).toBe(200);
    expect(upstream.requests).toHaveLength(2);
  });

  test('[FLEET-4] is waited for no longer than its caller waits', async () => {
    const { upstream, kernels } = await twoKernels();
    const [a, b] = kernels;
    const first = held({ text: 'ok' });
    upstream.next(at(0.01, first.reply));
    const slow = complete(a);
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(1);
    const chat = await b.client.createChat();
    const stream = await b.client.begin(chat.id, { text: 'Go.' });
    await b.client.cancelTurn(chat.id);
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    first.go();
    expect((await slow).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });
});
