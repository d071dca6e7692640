/** Lists everyday tasks with the web: search, research and what is kept of it. */
import { fetchPage, run, search, type Task, task, write } from '../task.ts';

const pages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => [fetchPage(`/page/${from + index}`)]);

export const WEB: readonly Task[] = [
  task(
    'answer with one search',
    0,
    'How high is the Zugspitze?',
    [search('height of the Zugspitze')],
    [search('Zugspitze metres')],
  ),
  task('read a page that the owner names', 0, 'Sum up http://{docs}/page/1', [fetchPage('/page/1')]),
  task('read a site whose address the owner wrote without its slash', 0, 'Sum up http://{docs} please.', [
    fetchPage('/'),
  ]),
  task(
    'research over ten pages from a search, and write a report',
    1,
    'Research how harbors work, and write a report.',
    [search('harbors')],
    ...pages(1, 10),
    [write('report.md', 'Harbors have ten parts.\n')],
    [write('sources.md', 'Ten pages.\n')],
  ),
  task(
    'research over ten pages, five at once, on two sites',
    0,
    'Compare what the two sites say about harbors.',
    [search('harbors')],
    [1, 2, 3, 4, 5].map(number => fetchPage(`/page/${number}`)),
    [1, 2, 3, 4, 5].map(number => fetchPage(`/story/${number}`, '{news}')),
  ),
  task(
    'read five addresses of one site at once',
    1,
    'Read the API.',
    ['items', 'orders', 'users', 'carts', 'shops'].map(name => fetchPage(`/api/${name}`)),
  ),
  task(
    'follow links from page to page',
    0,
    'Read http://{docs}/chain/1 and what it links to.',
    [fetchPage('/chain/1')],
    [fetchPage('/chain/2')],
    [fetchPage('/chain/3')],
    [fetchPage('/chain/4')],
  ),
  task(
    'read the pages of an API whose addresses the model knows',
    1,
    'How do I call the API of the docs site?',
    [search('API')],
    [fetchPage('/api/items')],
    [fetchPage('/api/orders')],
    [fetchPage('/api/users')],
  ),
  task(
    'read addresses that the model knows on two sites',
    3,
    'Compare the APIs.',
    [fetchPage('/api/items')],
    [fetchPage('/api/items', '{news}')],
    [fetchPage('/api/orders')],
    [fetchPage('/api/orders', '{news}')],
  ),
  task(
    'look an error up, and fix it',
    2,
    'The tests fail. Look the error up, and fix it.',
    [run('node --test test/cart.test.js')],
    [search('AssertionError')],
    [fetchPage('/page/2')],
    [write('src/fix.js', 'export {};\n')],
    [run('node --test test/cart.test.js')],
  ),
  {
    name: 'research in one message, and remember the result in the next',
    questions: 1,
    turns: [
      { says: 'Which harbor is the largest?', steps: [[search('largest harbor')], [fetchPage('/page/1')]] },
      { says: 'Remember that.', steps: [[['memory', { add: 'The largest harbor is Rotterdam.' }]]] },
    ],
  },
];
