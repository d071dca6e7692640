/** Tests groups of tools that are folded to a line of the prompt until the model loads them. */
import type { Chat } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const PLAN_LINE = 'On demand, load with load_tools: plan (shows the user a plan)';
const SHELL_LINE = 'On demand, load with load_tools: shell (runs commands)';
/** Books are folded by default; this test is about what the user has folded. */
const NO_BOOKS = { books_read: 'off', books_search: 'off', books_upload: 'off' } as const;
const kernel = sharedKernel({
  settings: {
    tools: { on_demand: ['shell', 'plan', 'agents'], policy: { agent: 'off', plan: 'all', ...NO_BOOKS } },
  },
});

/** Returns the parts of the n-th last request to the model. */
function told(fromLast = 1) {
  const { body } = kernel.upstream.requests.at(-fromLast)!;
  const system: string = body.messages[0].content;
  const tools: string[] = (body.tools ?? []).map(
    (tool: { function: { name: string } }) => tool.function.name,
  );
  return { system, tools, lines: system.split('\n').filter(line => line.startsWith('On demand')) };
}
const toolsetOf = async (chat: Chat) => (await kernel.client.getChat(chat.id)).toolset;

test('[BT-11] shows an on-demand group as a line of the prompt without its tools', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  const { system, tools, lines } = told();
  expect(system).toContain(`\n\n[tools]\n`);
  expect(lines).toEqual([PLAN_LINE, SHELL_LINE]);
  expect(tools).toContain('load_tools');
  expect(tools).toContain('read_file');
  expect(tools.filter(name => ['shell', 'plan', 'agent'].includes(name))).toEqual([]);
});

test('[BT-11] offers a loaded group from the next step on, and in all later turns', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ toolset: { disabled: ['questions'] } });
  const watching = await client.watchAll();
  upstream.next(
    calls('l', 'load_tools', { group: 'plan' }),
    calls('p', 'plan', { tasks: [{ title: 'Load it.', status: 'completed' }] }),
    says('Done.'),
  );
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { id: 'l', is_error: false, output: expect.stringContaining('plan') },
    { id: 'p', is_error: false },
  ]);
  expect(told(3).lines).toContain(PLAN_LINE);
  for (const n of [2, 1]) {
    expect(told(n).tools).toContain('plan');
    expect(told(n).tools).toEqual(told(n).tools.toSorted());
    expect(told(n).lines).toEqual([SHELL_LINE]);
  }
  expect(await toolsetOf(chat)).toEqual({ loaded: ['plan'], disabled: ['questions'] });
  expect((await watching.until('chat_updated')).chat.toolset.loaded).toEqual(['plan']);
  watching.hangUp();
  const last = upstream.requests.at(-1)?.body;
  await client.say(chat.id, 'Again.');
  // The prefix stays the same from this point.
  expect(told().system).toBe(last?.messages[0].content);
  expect(upstream.requests.at(-1)?.body.tools).toEqual(last?.tools);
});

test('[BT-11] loads several groups in one step, and removes the tool and the block when none is left', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const load = (id: string, group: string) => ({ call: { id, name: 'load_tools', input: { group } } });
  upstream.next({ steps: [load('a', 'shell'), load('b', 'plan'), load('c', 'shell')] }, says('Loaded.'));
  const results = eventsOf(await client.say(chat.id, 'Go.'), 'tool_result');
  expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false]);
  expect(await toolsetOf(chat)).toEqual({ loaded: ['shell', 'plan'], disabled: [] });
  const { system, tools } = told();
  expect(system).not.toContain('[tools]');
  expect(tools).not.toContain('load_tools');
  expect(tools).toEqual(expect.arrayContaining(['shell', 'plan']));
});

test('[BT-11] returns an error that lists the loadable groups for an unknown one', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ toolset: { disabled: ['plan'] } });
  for (const group of ['books', 'plan', 'agents', 'tools']) {
    upstream.next(calls(`l-${group}`, 'load_tools', { group }), says('Well.'));
    const [result] = eventsOf(await client.say(chat.id, 'Go.'), 'tool_result');
    expect(result).toMatchObject({
      is_error: group !== 'tools',
      output: expect.stringContaining(
        group === 'tools' ? 'load_tools' : `no group ${group} to load. Groups: shell.`,
      ),
    });
  }
  expect((await toolsetOf(chat)).loaded).toEqual([]);
  upstream.next(calls('s', 'shell', { commands: ['true'] }), says('Well.'));
  const [result] = eventsOf(await client.say(chat.id, 'Go.'), 'tool_result');
  expect(result).toMatchObject({ is_error: true, output: expect.stringContaining('load_tools') });
});

test('[BT-11] [TURN-8] offers on-demand tools that the turn names, as a group or a tool', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Go.', { tools: ['shell', 'think_harder'] });
  expect(told()).toMatchObject({ tools: ['shell', 'think_harder'], lines: [] });
  await client.say(chat.id, 'Go.', { tools: ['plan'] });
  expect(told()).toMatchObject({ tools: ['plan'], lines: [] });
  expect((await toolsetOf(chat)).loaded).toEqual([]);
});

test('[BT-11] hides a group whose tools the speaker may not use, and refuses to load it', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('l', 'load_tools', { group: 'shell' }), says('Well.'));
  const [result] = eventsOf(await client.say(chat.id, 'Go.', { guest: true }), 'tool_result');
  expect(result).toMatchObject({ is_error: true });
  expect(told().lines).toEqual([PLAN_LINE]);
  await client.patchChat(chat.id, { toolset: { loaded: ['shell'] } });
  await client.say(chat.id, 'Go.', { guest: true });
  expect(told().tools).not.toContain('shell');
  await client.say(chat.id, 'Go.');
  expect(told().tools).toContain('shell');
  // Folded again after the user unloads it.
  await client.patchChat(chat.id, { toolset: { loaded: [] } });
  await client.say(chat.id, 'Go.');
  expect(told()).toMatchObject({ lines: expect.arrayContaining([SHELL_LINE]) });
});

test('[BT-10] [BT-11] gives sub-agents the loaded groups, without loading and without the list of groups', async () => {
  const own = await startKernel({ settings: { tools: { on_demand: ['shell'] } } });
  const { client, upstream } = own;
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'a', task: 'Look.' }] }),
    says('Seen.'),
    says('Done.'),
  );
  await client.say(chat.id, 'Go.');
  const [lead, agent] = upstream.requests.map(({ body }) => body);
  expect(lead?.messages[0].content).toContain(SHELL_LINE);
  expect(agent?.messages[0].content).not.toContain('load_tools');
  expect(JSON.stringify(agent?.tools)).not.toMatch(/load_tools|"shell"/);
  await own.stop();
});

test('[BT-11] refuses to start with an unknown group', async () => {
  await expect(startKernel({ settings: { tools: { on_demand: ['shel'] } } })).rejects.toThrow(
    /tools\.on_demand: unknown group shel; known: agents, .*shell/,
  );
});
