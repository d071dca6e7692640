/** Tests that models of all four provider APIs accept a history that is cut at any position. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { KINDS, MODEL_OF } from '../harness/settings.ts';
import { says, stuck, textOf } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

const MODELS = KINDS.map(kind => `${kind}/${MODEL_OF[kind]}`);
let upstream: Upstream;
let kernel: TestKernel;
beforeAll(async () => {
  upstream = await startUpstream();
  const providers = Object.fromEntries(
    KINDS.map(kind => {
      const base_url = `${upstream.url}/${kind === 'google' ? 'v1beta' : 'v1'}`;
      return [kind, { kind, base_url, api_key: 'key' }];
    }),
  );
  const models = MODELS.map(id => ({ id, efforts: ['off', 'low', 'high'] as ['off', 'low', 'high'] }));
  kernel = await startKernel({
    upstream,
    settings: { llm: { providers, models, default_model: MODELS[0] as string } },
  });
});
afterAll(async () => {
  await kernel.stop();
  await upstream.close();
});

test('[HIST-3] repairs every cut of a history from all four wires for each of them', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const plan = (id: string) => ({ call: { id, name: 'plan', input: { tasks: [] } } });
  for (const model of MODELS) {
    upstream.next(
      { steps: [{ thinking: 'Hm.' }, { text: 'Two calls.' }, plan(`a-${model}`), plan(`b-${model}`)] },
      { steps: [{ thinking: 'So.' }, { text: 'Done.' }] },
    );
    await client.say(chat.id, 'Plan.', { model });
    upstream.next(stuck({ thinking: 'Well.' }, { text: 'Half' }, plan(`c-${model}`)));
    const stream = await client.begin(chat.id, { text: 'Again.', model });
    await stream.until('text_delta');
    await client.cancelTurn(chat.id);
    await stream.all();
    upstream.next({ error: 'bad_request' });
    await client.say(chat.id, 'And again.', { model });
  }
  expect(upstream.requests.filter(request => request.rejected)).toEqual([]);

  const { messages } = await client.listMessages(chat.id, { limit: 500 });
  for (const { id } of messages.toReversed()) {
    await client.rewind(chat.id, id);
    for (const model of MODELS) {
      upstream.next(says('Fine.'));
      expect(textOf(await client.say(chat.id, 'Go on.', { model }))).toBe('Fine.');
    }
    const { messages: now } = await client.listMessages(chat.id, { limit: 8 });
    await client.rewind(chat.id, now[0]!.id);
  }
  expect(upstream.requests.map(request => request.rejected).filter(Boolean)).toEqual([]);
});
