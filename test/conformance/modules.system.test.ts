import type { TurnContext } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import {
  becomes,
  echoed,
  listening,
  modulesOf,
  namesIn,
  places,
  record,
  started,
  tool,
  toolEntry,
} from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

const ANCHOR = { chat_id: 7, message_id: 8 };

test('[MOD-1] [MOD-2] [MOD-3] lists modules of the settings, by command and by socket, and one of the directory', async () => {
  const { at } = places();
  const elsewhere = places().at('any.sock');
  listening({ name: 'radio', tools: [tool('echo')], stages: [{ stage: 'turn_done' }] }, elsewhere);
  listening({ name: 'stray', version: '2.0.0', about: 'found', tools: [tool('echo')] }, at('stray.sock'));
  const { api, client, upstream } = await kernelOf({
    settings: {
      modules: {
        socket_dir: at('.'),
        servers: {
          parrot: started({
            name: 'parrot',
            icon: '🦜',
            about: 'repeats',
            tools: [tool('echo'), tool('fail')],
          }),
          radio: { socket: elsewhere },
        },
      },
    },
  });
  await becomes(api, 'radio', 'up');
  await becomes(api, 'stray', 'pending');
  await becomes(api, 'parrot', 'up');
  expect(await modulesOf(api)).toEqual([
    {
      name: 'parrot',
      version: '1.0.0',
      about: 'repeats',
      status: 'up',
      source: 'settings',
      tools: ['parrot_echo', 'parrot_fail'],
      stages: [],
      approved_at: null,
      problem: null,
      problems: [],
    },
    {
      name: 'radio',
      version: '1.0.0',
      about: 'tests',
      status: 'up',
      source: 'settings',
      tools: ['radio_echo'],
      stages: ['turn_done'],
      approved_at: null,
      problem: null,
      problems: [],
    },
    {
      name: 'stray',
      version: '2.0.0',
      about: 'found',
      status: 'pending',
      source: 'socket_dir',
      tools: ['stray_echo'],
      stages: [],
      approved_at: null,
      problem: 'it is pending approval',
      problems: [],
    },
  ]);
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  const theirs = () => namesIn(upstream.requests.at(-1)).filter(name => /_(echo|fail)$/.test(name));
  expect(theirs()).toEqual(['parrot_echo', 'parrot_fail', 'radio_echo']);
  expect(await api.post('/v1/modules/stray/approve')).toMatchObject({
    status: 200,
    body: { name: 'stray', status: 'up', approved_at: expect.stringMatching(/Z$/), problem: null },
  });
  await client.say(chat.id, 'Hi.');
  expect(theirs()).toEqual(['parrot_echo', 'parrot_fail', 'radio_echo', 'stray_echo']);
  expect((await api.post('/v1/modules/stray/revoke')).body).toMatchObject({
    status: 'revoked',
    approved_at: null,
  });
  await client.say(chat.id, 'Hi.');
  expect(theirs()).toEqual(['parrot_echo', 'parrot_fail', 'radio_echo']);
  expect((await client.getStats()).modules).toMatchObject({ parrot: 'up', radio: 'up' });
});

test('[API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it', async () => {
  const input_schema = {
    type: 'object',
    properties: { n: { type: 'number', description: 'How many.' } },
    required: ['n'],
  };
  const tools = [
    tool('echo', { input_schema, icon: '🔁' }),
    tool('fail', { trusted_only: true, client_only: true }),
  ];
  const { api, client, upstream } = await kernelOf({
    settings: {
      modules: { servers: { parrot: started({ name: 'parrot', icon: '🦜', about: 'repeats', tools }) } },
    },
  });
  await becomes(api, 'parrot', 'up');
  expect(await toolEntry(api, 'parrot_echo')).toEqual({
    name: 'parrot_echo',
    description: 'Does echo.',
    input_schema,
    group: 'parrot',
    icon: '🔁',
    master_only: false,
    trusted_only: false,
    client_only: false,
    on_demand: false,
    effects: ['send'],
    source: 'module',
    available: true,
  });
  expect(await toolEntry(api, 'parrot_fail')).toMatchObject({
    input_schema: { type: 'object', properties: {} },
    icon: '🦜',
    trusted_only: true,
    client_only: true,
  });
  const { groups } = await client.listTools();
  expect(groups).toContainEqual({ name: 'parrot', about: 'repeats', on_demand: false });
  const offered = async (body: object) => {
    const chat = await client.createChat();
    await client.say(chat.id, 'Hi.', { ...body });
    return namesIn(upstream.requests.at(-1)).filter(name => name.startsWith('parrot'));
  };
  expect(await offered({})).toEqual(['parrot_echo']);
  expect(await offered({ client_ops: true })).toEqual(['parrot_echo', 'parrot_fail']);
  expect(await offered({ client_ops: true, guest: true })).toEqual(['parrot_echo']);
  const sent = upstream.requests
    .at(-1)
    ?.body.tools.find((each: { function: { name: string } }) => each.function.name === 'parrot_echo');
  expect(sent.function).toMatchObject({ description: 'Does echo.', parameters: input_schema });
});

test('[MOD-3] [TURN-8] [CHAT-6] selects a module by name for a turn, excludes one for a chat, and turns one tool off in the settings', async () => {
  const declared = { name: 'parrot', tools: [tool('echo'), tool('fail')] };
  const { api, client, upstream } = await kernelOf({
    settings: {
      modules: { servers: { parrot: started(declared) } },
      tools: { policy: { parrot_fail: 'off' } },
    },
  });
  await becomes(api, 'parrot', 'up');
  const offered = async (body: object, fields: object = {}) => {
    const chat = await client.createChat(fields);
    await client.say(chat.id, 'Hi.', { ...body });
    return namesIn(upstream.requests.at(-1));
  };
  expect(await offered({})).toEqual(expect.arrayContaining(['parrot_echo', 'plan']));
  expect(await offered({})).not.toContain('parrot_fail');
  expect(await offered({ tools: ['parrot'] })).toEqual(['parrot_echo']);
  expect(await offered({ tools: ['parrot_echo', 'plan'] })).toEqual(['parrot_echo', 'plan']);
  expect(await offered({}, { toolset: { loaded: [], disabled: ['parrot'] } })).not.toContain('parrot_echo');
  expect(await toolEntry(api, 'parrot_fail')).toBeUndefined();
  const chat = await client.createChat();
  const answer = await api.post(`/v1/chats/${chat.id}/messages`, {
    text: 'Hi.',
    extra_tools: [{ name: 'parrot_echo', description: 'Mine.' }],
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'tool_name_taken' } });
});

const NOBODY = { master: false, trusted: false, privileged: false, client_ops: false };
const MASTER = { sender: '', master: true, trusted: true, privileged: true, client_ops: false };

test('[MOD-5] passes the exact speaker and purpose of a call in its context', async () => {
  const { api, client, upstream } = await kernelOf({
    settings: { modules: { servers: { parrot: started({ name: 'parrot', tools: [tool('echo')] }) } } },
  });
  await becomes(api, 'parrot', 'up');
  const person = async (external_id: string, marks: object) => {
    const body = await client.resolvePerson({ surface: 'test', external_id });
    await api.patch(`/v1/persons/${body.id}`, marks);
    return body.id as string;
  };
  const trusted = await person('ada', { trusted: true });
  const me = await person('me', { master: true });
  const cases: [object, Omit<TurnContext, 'chat_id'>][] = [
    [{}, MASTER],
    [{ client_ops: true }, { ...MASTER, client_ops: true }],
    [{ anchor: ANCHOR }, { ...MASTER, privileged: false, anchor: ANCHOR }],
    [{ sender: 'Eve' }, { sender: 'Eve', ...NOBODY }],
    [
      { sender: 'Eve', guest: true, anchor: ANCHOR },
      { sender: 'Eve', ...NOBODY, anchor: ANCHOR },
    ],
    [{ guest: true }, { ...MASTER, trusted: false, privileged: false }],
    [
      { sender: 'Ada', person_id: trusted },
      { sender: 'Ada', ...NOBODY, trusted: true },
    ],
    [
      { sender: 'Me', person_id: me, anchor: ANCHOR },
      { ...MASTER, sender: 'Me', privileged: false, anchor: ANCHOR },
    ],
  ];
  for (const [body, context] of cases) {
    const chat = await client.createChat();
    upstream.next(calls('c', 'parrot_echo', { word: 'hi' }), says('Done.'));
    const events = await client.say(chat.id, 'Go.', { ...body });
    const [result] = eventsOf(events, 'tool_result');
    expect(result).toMatchObject({ is_error: false });
    expect(echoed(result?.output ?? '')).toEqual({
      call_id: expect.stringMatching(/./),
      name: 'echo',
      input: { word: 'hi' },
      context: { chat_id: chat.id, ...context },
    });
  }
});

test('[MOD-5] [BT-10] passes the context of the turn to calls of a sub-agent', async () => {
  const { api, client, upstream } = await kernelOf({
    settings: { modules: { servers: { parrot: started({ name: 'parrot', tools: [tool('echo')] }) } } },
  });
  await becomes(api, 'parrot', 'up');
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'scout', task: 'Go.', tools: ['parrot'] }] }),
    calls('c', 'parrot_echo', { word: 'hi' }),
    says('Found.'),
    says('Done.'),
  );
  await client.say(chat.id, 'Go.', { anchor: ANCHOR });
  expect(namesIn(upstream.requests.at(-3))).toEqual(['parrot_echo']);
  const read = upstream.requests.at(-2)?.body.messages.at(-1);
  expect(echoed(read.content)).toMatchObject({
    input: { word: 'hi' },
    context: { chat_id: chat.id, ...MASTER, privileged: false, anchor: ANCHOR },
  });
});

test('[MOD-4] shows an on_demand family as a line with its phrase until load_tools loads it', async () => {
  const declared = { name: 'parrot', about: 'repeats words', tools: [tool('echo', { on_demand: true })] };
  const { api, client, upstream } = await kernelOf({
    settings: { modules: { servers: { parrot: started(declared) } } },
  });
  await becomes(api, 'parrot', 'up');
  const chat = await client.createChat();
  upstream.next(
    calls('l', 'load_tools', { group: 'parrot' }),
    calls('c', 'parrot_echo', { word: 'hi' }),
    says('Done.'),
  );
  const events = await client.say(chat.id, 'Go.');
  const [first, second] = upstream.requests;
  expect(first?.body.messages[0].content).toContain('load with load_tools: parrot (repeats words)');
  expect(namesIn(first)).not.toContain('parrot_echo');
  expect(namesIn(second)).toContain('parrot_echo');
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([false, false]);
  expect((await client.listTools()).groups).toContainEqual({
    name: 'parrot',
    about: 'repeats words',
    on_demand: true,
  });
});

test('[MOD-6] returns an input error of the module to the model, which calls again', async () => {
  const declared = { name: 'parrot', tools: [tool('strict'), tool('echo')] };
  const { api, client, upstream } = await kernelOf({
    settings: { modules: { servers: { parrot: started(declared) } } },
  });
  await becomes(api, 'parrot', 'up');
  const chat = await client.createChat();
  upstream.next(calls('a', 'parrot_strict', { n: 'x' }), calls('b', 'parrot_echo', {}), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { id: 'a', is_error: true, output: 'The input does not match the schema: n: expected a number' },
    { id: 'b', is_error: false },
  ]);
  expect(upstream.requests[1]?.body.messages.at(-1).content).toContain('n: expected a number');
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
});

test('[MOD-6] keeps input that violates the schema of a module in the kernel', async () => {
  const heard = record(places().at('heard'));
  const input_schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const declared = { name: 'parrot', record: heard.path, tools: [tool('echo', { input_schema })] };
  const { api, client, upstream } = await kernelOf({
    settings: { modules: { servers: { parrot: started(declared) } } },
  });
  await becomes(api, 'parrot', 'up');
  const chat = await client.createChat();
  upstream.next(calls('a', 'parrot_echo', {}), calls('b', 'parrot_echo', { text: 'hi' }), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    {
      id: 'a',
      is_error: true,
      output:
        "The input does not match the schema of parrot_echo:\n- input: must have required property 'text'",
    },
    { id: 'b', is_error: false },
  ]);
  expect(heard.heard('tools/call').map(({ params }) => params.input)).toEqual([{ text: 'hi' }]);
});

test('[MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between', async () => {
  const { at } = places();
  const declared = { name: 'parrot', tools: [tool('echo')] };
  const first = listening(declared, at('parrot.sock'));
  const { api, client, upstream } = await kernelOf({ settings: { modules: { socket_dir: at('.') } } });
  await becomes(api, 'parrot', 'pending');
  await api.post('/v1/modules/parrot/approve');
  const chat = await client.createChat();
  const called = async () => {
    upstream.next(calls('c', 'parrot_echo', {}), says('Done.'));
    const events = await client.say(chat.id, 'Go.');
    return eventsOf(events, 'tool_result')[0];
  };
  expect(await called()).toMatchObject({ is_error: false });
  first.kill('SIGKILL');
  await becomes(api, 'parrot', 'down');
  expect(await toolEntry(api, 'parrot_echo')).toMatchObject({ available: false, source: 'module' });
  expect(await called()).toMatchObject({
    is_error: true,
    output: expect.stringMatching(/^The module parrot is not running: .+\.$/),
  });
  expect(namesIn(upstream.requests.at(-1))).toContain('parrot_echo');
  expect((await client.getStats()).modules).toEqual({ parrot: 'down' });
  listening(declared, at('parrot.sock'));
  await becomes(api, 'parrot', 'up');
  expect(await toolEntry(api, 'parrot_echo')).toMatchObject({ available: true });
  expect(await called()).toMatchObject({ is_error: false });
});

test('[MOD-1] [MOD-5] passes the address of the kernel, and whether the turn has hands, to a module', async () => {
  const { at } = places();
  const heard = record(at('heard'));
  const { api, client, upstream, url } = await kernelOf({
    settings: {
      modules: {
        servers: { parrot: started({ name: 'parrot', record: heard.path, tools: [tool('echo')] }) },
      },
    },
  });
  await becomes(api, 'parrot', 'up');
  expect(heard.heard('initialize').map(({ params }) => params)).toEqual([
    { protocol: 1, name: 'parrot', kernel: { version: expect.stringMatching(/^\d/), url } },
  ]);
  const chat = await client.createChat({ workdir: at('.') });
  upstream.next(calls('c', 'parrot_echo', {}), says('Done.'));
  await new Terminal(client, { directory: at('.') }).turn(chat.id, { text: 'Go.' });
  expect(heard.heard('tools/call')[0]?.params.context).toMatchObject({ client_ops: true, privileged: true });
});

test('[MOD-1] [MOD-3] starts modules before the kernel accepts requests if the port is fixed', async () => {
  const heard = record(places().at('heard'));
  const port = await freePort();
  const { api, client, upstream, url } = await kernelOf({
    settings: {
      server: { port },
      modules: {
        servers: { parrot: started({ name: 'parrot', record: heard.path, tools: [tool('echo')] }) },
      },
    },
  });
  await expect.poll(() => heard.heard('initialize')[0]?.params.kernel.url).toBe(url);
  // The kernel waits three seconds for its modules, which is too short for some machines.
  await becomes(api, 'parrot', 'up');
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  expect(namesIn(upstream.requests[0])).toContain('parrot_echo');
});
