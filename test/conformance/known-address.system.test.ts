/** Tests which addresses a turn may fetch without a question after it has read text from outside (CONSENT-4). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerConsents } from '../harness/answer-consents.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { becomes } from '../harness/modules.ts';
import { calls, says } from '../harness/story.ts';

const data = temporaryDirectory();
let kernel: TestKernel;
let site: string;
/** The address that the search engine returns. */
let found = '';

async function serve(answer: () => string): Promise<string> {
  const server = createServer((_, response) => response.end(answer()));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  site = await serve(() => 'A page.');
  const engine = await serve(() => JSON.stringify({ results: [{ url: found, title: 'A page' }] }));
  mkdirSync(join(data.path, 'modules'));
  const module = { allow: [site], searxng: { url: `http://${engine}` } };
  writeFileSync(join(data.path, 'modules/web.yaml'), JSON.stringify({ module }), { mode: 0o600 });
  kernel = await startKernel({ dataDir: data.path, settings: { modules: { shipped: ['web'] } } });
  await becomes(kernel.api, 'web', 'up');
});
afterAll(async () => {
  await kernel.stop();
  data.remove();
});

/** Runs a turn that has text from outside; returns what it asked, all of which is denied. */
async function asked(...steps: Parameters<TestKernel['upstream']['next']>): Promise<unknown[]> {
  const { client, upstream } = kernel;
  const chat = (await client.createChat({ consent: 'auto' })).id;
  upstream.next(...steps, says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true, outside: ['mail:eve@evil.example'] });
  return (await answerConsents(client, chat, turn)).map(({ url }) => url);
}

const search = (query: string) => calls('search', 'web_search', { query });
const fetched = (id: string, url: string) => calls(id, 'web_fetch', { url });

test('[CONSENT-4] an address that a search has found is fetched without a question, another one is not', async () => {
  found = `http://${site}/found`;
  const other = `http://${site}/other`;
  expect(await asked(search('page'), fetched('a', found), fetched('b', other))).toEqual([other]);
});

test('[CONSENT-4] an address that a search only repeats from its query asks', async () => {
  found = `http://${site}/found`;
  const secret = `http://${site}/?d=secret`;
  expect(await asked(search(`page ${secret}&more`), fetched('a', secret))).toEqual([secret]);
});

test('[CONSENT-4] an address in the output of a command asks', async () => {
  found = `http://${site}/found`;
  const secret = `http://${site}/?d=secret`;
  const printed = calls('shell', 'shell', { commands: [`sleep 1; echo ${secret}`] });
  expect(await asked(search('page'), printed, fetched('a', secret))).toContain(secret);
});

test('[CONSENT-4] a sub-agent fetches what it has found without a question, and its own addresses ask', async () => {
  found = `http://${site}/found`;
  const secret = `http://${site}/?d=secret`;
  const task = { name: 'reader', task: `Read ${secret}.` };
  const steps = [
    calls('agent', 'agent', { agents: [task] }),
    search('page'),
    fetched('a', found),
    fetched('b', secret),
    says(`It is at ${secret}`),
    fetched('c', secret),
  ];
  expect(await asked(...steps)).toEqual([secret, secret]);
});
