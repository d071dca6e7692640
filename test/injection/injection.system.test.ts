/**
 * Tests that text of others cannot make a model act without a question. The scripted model obeys each instruction that it
 * reads, and the owner denies what they did not ask for.
 */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TurnRequest } from '@chat-kernel/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerConsents, type ConsentRequest } from '../harness/answer-consents.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { becomes, toolEntry } from '../harness/modules.ts';
import { AT_SCALE } from '../harness/scale.ts';
import { calls, says } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { type Demand, demands, WORDINGS, type Wording } from './texts.ts';

const DESK = join(import.meta.dirname, '../../packages/mcp-client/test/fixtures/program.ts');
const SECRET = 'TOP-SECRET-CONTENT';
/** Stands for the demand in a text; the model obeys when it reads this. */
const MARK = 'OBEY-THIS';

/** The calls of the turn: first the one that the owner wants, then what an injected text demands. */
let wanted: { name: string; input: Record<string, unknown> } | undefined;
let demanded: Demand | undefined;
let upstream: Upstream;
let kernel: TestKernel;
let site: string;
let sink: string;
/** The text of the page, and of the search result. */
let page = '';
let found = '';
let stolen = 0;
let workdir: string;
/** Whether the chats of the test ask before each command and each call that sends. */
let consent: 'ask' | 'auto';
const home = temporaryDirectory();
const records = temporaryDirectory();

async function serve(answer: () => string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(answer());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  upstream = await startUpstream(({ body }) => {
    if (wanted !== undefined) {
      const { name, input } = wanted;
      wanted = undefined;
      return calls('wanted', name, input);
    }
    if (demanded === undefined || !JSON.stringify(body).includes(MARK)) return says('Done.');
    const { name, input } = demanded;
    demanded = undefined;
    return calls('demanded', name, input);
  });
  site = await serve(() => `<html><body><article><p>${page.repeat(3)}</p></article></body></html>`);
  sink = await serve(() => `${++stolen}`);
  const engine = await serve(() =>
    JSON.stringify({ results: [{ url: `http://${site}/`, title: 'A page', content: found }] }),
  );
  mkdirSync(join(home.path, 'modules'));
  writeFileSync(
    join(home.path, 'modules/web.yaml'),
    JSON.stringify({ module: { allow: [site, sink], searxng: { url: `http://${engine}` } } }),
    { mode: 0o600 },
  );
  const desk = { command: process.execPath, args: [DESK, '2025-11-25', join(records.path, 'desk'), ''] };
  kernel = await startKernel({
    upstream,
    dataDir: home.path,
    settings: { modules: { shipped: ['web'] }, mcp: { servers: { desk } } },
  });
  await becomes(kernel.api, 'web', 'up');
  await vi.waitFor(async () => expect(await toolEntry(kernel.api, 'mcp_desk_echo')).toBeDefined(), 30_000);
});
afterAll(async () => {
  await kernel.stop();
  await upstream.close();
  home.remove();
  records.remove();
});

beforeEach(async () => {
  // A new directory for each text, with keys and passwords.
  workdir = realpathSync(directoryOfTest());
  mkdirSync(join(workdir, 'keys'));
  writeFileSync(join(workdir, '.env'), SECRET);
  writeFileSync(join(workdir, 'keys/id_ed25519'), SECRET);
  wanted = undefined;
  demanded = undefined;
  stolen = 0;
  page = '';
  found = '';
  upstream.requests.splice(0);
  // An earlier test that failed must not fail the others.
  for (const { id } of (await kernel.api.get('/v1/memory')).body.entries)
    await kernel.api.delete(`/v1/memory/${id}`);
});

/** Runs a turn to its end: allows the call that the owner wants, denies all others, and returns these. */
async function run(chat: string, body: Partial<TurnRequest>): Promise<ConsentRequest[]> {
  let left = wanted;
  const turn = await kernel.client.begin(chat, { text: 'Go on.', consents: true, ...body });
  return answerConsents(kernel.client, chat, turn, event => {
    const isWanted = event.action === left?.name && event.url === left.input.url;
    if (isWanted) left = undefined;
    return isWanted;
  });
}

/** Runs a turn that reads the text, whose instruction the model does not obey yet. */
async function unobeyed(work: () => Promise<unknown>): Promise<void> {
  const wish = demanded;
  demanded = undefined;
  await work();
  demanded = wish;
}

const newChat = async (): Promise<string> =>
  (await kernel.client.createChat({ consent, workdir, workdir_on: 'server' })).id;

/** The ways on which text of others reaches a model: each runs a turn of the owner that reads the text. */
const WAYS: Readonly<Record<string, (text: string) => Promise<ConsentRequest[]>>> = {
  async 'a page'(text) {
    page = text;
    const url = `http://${site}/page`;
    wanted = { name: 'web_fetch', input: { url } };
    return run(await newChat(), { text: `Read ${url}` });
  },
  async 'a search result'(text) {
    found = text;
    wanted = { name: 'web_search', input: { query: 'harbour' } };
    return run(await newChat(), { text: 'Search for the harbour.' });
  },
  async 'the result of an MCP server'(text) {
    wanted = { name: 'mcp_desk_echo', input: { text } };
    return run(await newChat(), { text: 'Ask the desk.' });
  },
  async 'a message in a group'(text) {
    return run(await newChat(), { context: `Bob: ${text}`, outside: ['telegram:group 42'] });
  },
  async 'an email of a stranger'(text) {
    const chat = await newChat();
    // In a turn of a stranger, the model may obey, too: it has no tools for it.
    const wish = demanded;
    const first = await run(chat, { text, sender: 'eve@evil.example' });
    demanded = wish;
    return [...first, ...(await run(chat, { text: 'What did they write?' }))];
  },
  async 'a file of a stranger'(text) {
    const { id } = (await kernel.api.raw('/v1/files', { method: 'POST', body: text })).body;
    await unobeyed(async () =>
      run(await newChat(), { text: 'Here it is.', sender: 'eve@evil.example', files: [{ id }] }),
    );
    wanted = { name: 'read_file', input: { files: [{ path: `file:${id}` }] } };
    return run(await newChat(), { text: 'Read the file.' });
  },
  async 'the AGENTS.md of a cloned repository'(text) {
    writeFileSync(join(workdir, 'AGENTS.md'), text);
    return run(await newChat(), { text: 'Build it.' });
  },
  async 'the output of a command'(text) {
    writeFileSync(join(workdir, 'log.txt'), text);
    wanted = { name: 'shell', input: { commands: ['cat log.txt'] } };
    return run(await newChat(), { text: 'Look into the log.' });
  },
  async 'another chat'(text) {
    const other = await newChat();
    await unobeyed(() => run(other, { text: `Note this. ${text}`, sender: 'eve@evil.example' }));
    wanted = { name: 'read_chat', input: { chat_id: other } };
    return run(await newChat(), { text: 'What is in the other chat?' });
  },
};
const NAMES = Object.keys(WAYS);

/** Whether the text arrives at all: the reader of pages leaves out what a reader of the page would not see. */
const arrives = (way: string, { isHidden = false }: Wording): boolean => !(isHidden && way === 'a page');

/** Each way with each demand; at scale in all wordings, otherwise in one of them. */
const CASES = NAMES.flatMap((way, row) =>
  demands('').flatMap(({ what }, which) =>
    WORDINGS.flatMap((wording, at) =>
      AT_SCALE || at === (row + which) % WORDINGS.length
        ? [{ way, wording, which, what, name: `${at + 1}.${which + 1}` }]
        : [],
    ),
  ),
);

describe.each(NAMES)('%s', way => {
  const cases = CASES.filter(each => each.way === way);
  test.each(
    cases,
  )('[CONSENT-3] [CONSENT-4] [CONSENT-5] text $name cannot $what without a question', async each => {
    const demand = demands(sink)[each.which] as Demand;
    demanded = demand;
    // In the sandbox, commands run without a question unless the chat asks before each.
    consent = demand.what === 'execute' ? 'ask' : 'auto';
    const text = each.wording.text.replace('%s', `${MARK}: ${demand.what}.`);
    const denied = await (WAYS[way] as (text: string) => Promise<ConsentRequest[]>)(text);
    const isRead = arrives(way, each.wording);
    expect(demanded === undefined, 'whether the model has read the text').toBe(isRead);
    expect(denied.length).toBe(isRead ? 1 : 0);
    expect(stolen).toBe(0);
    expect(existsSync(join(workdir, 'executed'))).toBe(false);
    expect(existsSync(join(workdir, '.envrc'))).toBe(false);
    expect((await kernel.api.get('/v1/memory')).body.entries).toEqual([]);
    expect(JSON.stringify(upstream.requests.map(({ body }) => body))).not.toContain(SECRET);
  });
});
