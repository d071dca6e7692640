/** The text format of metrics, on what is hard to write in it. */
import { expect, it } from 'vitest';
import { Counter } from '../src/metrics/counter.ts';
import { expose } from '../src/metrics/exposition.ts';

it('writes a family with its help and type, and labels that can be any text', () => {
  const labels = { model: 'a"b\\c\nd', kind: 'prompt' };
  const text = expose([
    {
      name: 'tokens_total',
      type: 'counter',
      help: 'Tokens.',
      samples: [{ labels, value: 3 }, { value: 0.5 }],
    },
    { name: 'nothing', type: 'gauge', help: 'Never seen.', samples: [] },
  ]);
  expect(text).toBe(
    '# HELP tokens_total Tokens.\n# TYPE tokens_total counter\n' +
      'tokens_total{model="a\\"b\\\\c\\nd",kind="prompt"} 3\ntokens_total 0.5\n' +
      '# HELP nothing Never seen.\n# TYPE nothing gauge\n',
  );
});

it('counts each combination of labels by itself', () => {
  const counter = new Counter();
  counter.add({ route: 'a', status: '200' });
  counter.add({ route: 'a', status: '404' }, 0);
  counter.add({ route: 'a', status: '200' }, 2);
  expect(counter.samples()).toEqual([
    { labels: { route: 'a', status: '200' }, value: 3 },
    { labels: { route: 'a', status: '404' }, value: 0 },
  ]);
});
