/** Tests that one answer of the owner is enough where it covers more than one call. */
import { expect, test } from 'vitest';
import { program } from '../../packages/mcp-client/test/fixtures/desk.ts';
import { answerAll } from '../everyday/owner.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { becomes, started, tool, toolEntry } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { eventsOf, says } from '../harness/story.ts';

/** A kernel with an MCP server `desk` and a module `parrot`, whose tool `echo` sends something. */
async function withTools(requests: object = {}): Promise<TestKernel> {
  const kernel = await kernelOf({
    settings: {
      requests,
      mcp: { servers: { desk: program('2025-11-25').entry } },
      modules: { servers: { parrot: started({ name: 'parrot', tools: [tool('echo')] }) } },
    },
  });
  await becomes(kernel.api, 'parrot', 'up');
  await expect.poll(() => toolEntry(kernel.api, 'mcp_desk_content'), { timeout: 30_000 }).toBeDefined();
  return kernel;
}

type Call = readonly [name: string, input: Record<string, unknown>];
const SEND: Call = ['mcp_desk_content', {}];

/** Runs a turn in a chat that asks, whose steps make these calls; returns the reasons of its questions. */
async function questionsOf({ client, upstream }: TestKernel, text: string, ...steps: Call[][]) {
  const { id } = await client.createChat({ consent: 'ask' });
  upstream.next(
    ...steps.map(step => ({ steps: step.map(([name, input]) => ({ call: { name, input } })) })),
    says('Done.'),
  );
  const turn = await client.begin(id, { text, consents: true, outside: ['telegram:group 42'] });
  return answerAll(client, id, turn);
}

test('[CONSENT-4] a grant for a server also holds after a turn has read the answer of this server', async () => {
  expect(await questionsOf(await withTools(), 'Go.', [SEND], [SEND], [SEND])).toEqual([
    'mcp_desk_content sends something out, and this turn has read text from telegram:group 42.',
  ]);
});

test('[CONSENT-3] calls that begin together ask one after the other, so that one grant covers them all', async () => {
  expect(await questionsOf(await withTools(), 'Go.', [SEND, SEND, SEND])).toHaveLength(1);
});

test('[CONSENT-3] without an answer to the first of such calls, the others do not ask', async () => {
  const { client, upstream } = await withTools({ consent_timeout_secs: 1 });
  const { id } = await client.createChat({ consent: 'ask' });
  const call = { call: { name: SEND[0], input: SEND[1] } };
  upstream.next({ steps: [call, call, call] }, { steps: [call] }, says('Done.'));
  const events = await (await client.begin(id, { text: 'Go.', consents: true })).all();
  expect(eventsOf(events, 'consent_request')).toHaveLength(2);
  expect(eventsOf(events, 'tool_result').map(({ output }) => output)).toEqual(
    Array(4).fill('No answer came from the client in time.'),
  );
});

test.each([
  ['https://example.org/', 'Read https://example.org.', 0],
  ['https://example.org/', 'Read https://example.org, please.', 0],
  ['https://example.org/', 'Read https://example.org', 0],
  ['https://example.org/a', 'Read https://example.org', 1],
  ['https://example.org/?q=1', 'Read https://example.org', 1],
  ['https://example.o/', 'Read https://example.org', 1],
  ['https://example.org/', 'Read https://example.org.evil.example', 1],
  ['https://example.org/', 'Read https://example.org@evil.example', 1],
  ['https://example.org/', 'Read https://example.org:8443', 1],
])('[CONSENT-4] to fetch %s after "%s" asks %i times', async (url, text, questions) => {
  expect(await questionsOf(await withTools(), text, [['parrot_echo', { url }]])).toHaveLength(questions);
});
