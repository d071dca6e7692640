/** Tests spending by day, model and surface. */
import { expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { at, start } from '../harness/spending.ts';
import { says } from '../harness/story.ts';

const DAY_MS = 86_400_000;
const PRICED = 'scripted/plain';
const UNPRICED = 'scripted/unpriced';

const row = (key: string, prompt_tokens: number, turns: number, cost_usd: number | null) =>
  expect.objectContaining({ key, prompt_tokens, turns, cost_usd });

test('[WEB-12] GET /v1/spend sums spending by day, model and surface', async () => {
  const clock = new ManualClock();
  const { client, upstream, api } = await start({}, { clock });
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const first = today();
  const { id } = await client.createChat();
  const other = (await client.createChat()).id;
  upstream.next(at(0.1, says('One.')));
  await client.say(id, 'One.');
  clock.advance(2 * DAY_MS);
  upstream.next(at(0.02, says('Two.')), at(0.003, says('Three.')));
  await client.say(id, 'Two.', { anchor: { chat_id: 1, message_id: 1, module: 'telegram' } });
  await client.say(other, 'Three.', { model: UNPRICED });

  const days = await client.getSpendReport();
  expect(days.rows).toEqual([row(first, 100, 1, 0.1), row(today(), 23, 2, null)]);
  expect(days).toMatchObject({
    by: 'day',
    to: today(),
    total: { prompt_tokens: 123, turns: 3, cost_usd: null },
  });
  expect(Date.parse(days.to) - Date.parse(days.from)).toBe(29 * DAY_MS);
  const models = await client.getSpendReport({ by: 'model' });
  expect(models.rows).toEqual([row(PRICED, 120, 2, expect.closeTo(0.12)), row(UNPRICED, 3, 1, null)]);
  const surfaces = await client.getSpendReport({ by: 'surface' });
  expect(surfaces.rows).toEqual([row('client', 103, 2, null), row('telegram', 20, 1, 0.02)]);
  expect((await client.getSpendReport({ by: 'model', days: 2 })).total).toMatchObject({ turns: 2 });

  // A deleted chat keeps its spending, but its turns are gone.
  await client.deleteChat(other);
  const { rows, total } = await client.getSpendReport({ by: 'surface', days: 2 });
  expect(rows).toEqual([row('other', 3, 0, null), row('telegram', 20, 1, 0.02)]);
  expect(total).toMatchObject({ prompt_tokens: 23, turns: 1 });
  expect((await client.getSpendReport({ by: 'day', days: 2 })).rows).toEqual([row(today(), 23, 1, null)]);
  for (const query of ['days=0', 'days=367', 'by=week']) {
    expect((await api.get(`/v1/spend?${query}`)).status).toBe(400);
  }
});

test('[WEB-12] GET /v1/spend has no rows before anything was spent', async () => {
  const { client } = await start({});
  const { rows, total } = await client.getSpendReport({ by: 'surface' });
  expect(rows).toEqual([]);
  expect(total).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, cost_usd: 0, turns: 0 });
});
