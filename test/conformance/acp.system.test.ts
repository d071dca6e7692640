/** Tests the agent for editors with the protocol's own client over the pipes of a real process. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as acp from '@agentclientprotocol/sdk';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { PROGRAM } from '../harness/program.ts';
import { secretOf } from '../harness/secrets.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, held, says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const ACPX = fileURLToPath(new URL('../../node_modules/.bin/acpx', import.meta.url));
const EVERYTHING = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const WAIT = { timeout: 60_000 };
const upstream = await startUpstream();
afterAll(() => upstream.close());

let kernel: TestKernel;
/** The folder that is open in the editor. */
let cwd: string;
beforeEach(async () => {
  kernel = await startKernel({ upstream });
  onTestFinished(() => kernel.stop());
  cwd = realpathSync(directoryOfTest());
});

interface EditorOptions {
  url?: string;
  capabilities?: acp.ClientCapabilities;
  /** Picks the decision; default: Allow once. */
  permit?: (request: acp.RequestPermissionRequest) => string | null;
  answer?: (request: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;
}

/** An editor with its own files and terminals that records every update it receives. */
async function editor({
  url = kernel.url,
  capabilities = {},
  permit = () => 'allow',
  answer,
}: EditorOptions = {}) {
  const child = spawn(process.execPath, [PROGRAM, 'acp', '--url', url], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: directoryOfTest() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const updates: acp.SessionUpdate[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const written: string[] = [];
  const commands = terminals();
  const connection = acp
    .client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(params);
      const optionId = permit(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onRequest('fs/read_text_file', ({ params }) => {
      if (!existsSync(params.path)) throw new acp.RequestError(-32002, 'no such file');
      return { content: readFileSync(params.path, 'utf8') };
    })
    .onRequest('fs/write_text_file', ({ params }) => {
      written.push(params.path);
      writeFileSync(params.path, params.content);
    })
    .onRequest('elicitation/create', ({ params }) => answer?.(params) ?? { action: 'cancel' })
    .onRequest('terminal/create', ({ params }) => ({ terminalId: commands.create(params) }))
    .onRequest('terminal/output', ({ params }) => commands.output(params.terminalId))
    .onRequest('terminal/wait_for_exit', ({ params }) => commands.exit(params.terminalId))
    .onRequest('terminal/kill', ({ params }) => commands.kill(params.terminalId))
    .onRequest('terminal/release', () => {})
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  onTestFinished(() => connection.close());
  const { agent } = connection;
  const initialized = await agent.request('initialize', {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: capabilities,
  });
  const say = (sessionId: string, text: string) =>
    agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return { agent, child, connection, initialized, updates, asked, written, commands, say };
}

/** Runs commands as an editor does. */
function terminals() {
  const running = new Map<string, { child: ChildProcess; output: string; exit: Promise<unknown[]> }>();
  const of = (id: string) => running.get(id)!;
  return {
    started: [] as acp.CreateTerminalRequest[],
    create(request: acp.CreateTerminalRequest) {
      this.started.push(request);
      const child = spawn(request.command, request.args ?? [], {
        cwd: request.cwd ?? cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const id = `t${running.size}`;
      const entry = { child, output: '', exit: once(child, 'close') };
      for (const pipe of [child.stdout!, child.stderr!]) pipe.on('data', piece => (entry.output += piece));
      running.set(id, entry);
      return id;
    },
    output: (id: string) => ({ output: of(id).output, truncated: false }),
    async exit(id: string) {
      const [exitCode, signal] = await of(id).exit;
      return { exitCode: exitCode as number | null, signal: signal as string | null };
    },
    kill: (id: string) => void of(id).child.kill('SIGKILL'),
  };
}

const textOf = (updates: readonly acp.SessionUpdate[], kind = 'agent_message_chunk'): string =>
  updates
    .map(update =>
      update.sessionUpdate === kind && 'content' in update && update.content && 'text' in update.content
        ? update.content.text
        : '',
    )
    .join('');
const ofKind = <Kind extends acp.SessionUpdate['sessionUpdate']>(
  updates: readonly acp.SessionUpdate[],
  kind: Kind,
) =>
  updates.filter(
    (update): update is Extract<acp.SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
  );

test('[FACE-2] [CONSENT-10] creates a chat in the folder of the editor that asks, and answers a prompt', async () => {
  const { agent, initialized, updates, say } = await editor();
  expect(initialized).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'chat-kernel' },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
  });
  const { sessionId, modes, configOptions } = await agent.request('session/new', { cwd, mcpServers: [] });
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(['off', 'low', 'mid', 'high']);
  expect(configOptions).toMatchObject([{ id: 'model', category: 'model', type: 'select' }]);
  upstream.next({ steps: [{ thinking: 'Hm.' }, { text: 'Hello ' }, { text: 'there.' }] });
  expect(await say(sessionId, 'Hi!')).toEqual({ stopReason: 'end_turn' });
  expect(textOf(updates)).toBe('Hello there.');
  expect(textOf(updates, 'agent_thought_chunk')).toBe('Hm.');
  const chat = await kernel.client.getChat(sessionId);
  expect(chat).toMatchObject({ workdir: cwd, workdir_on: 'client', consent: 'ask' });
});

test('[FACE-2] reads and writes files through the editor with a diff dialog, and skips a denied write', async () => {
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
  const decisions = ['allow', 'deny'];
  const { agent, updates, asked, written, say } = await editor({
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    permit: ({ toolCall }) => (toolCall.kind === 'edit' ? decisions.shift()! : 'allow'),
  });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('w1', 'write_file', { path: 'a.txt', content: 'two\n' }));
  upstream.next(calls('w2', 'write_file', { path: 'b.txt', content: 'new\n' }));
  upstream.next(says('Done.'));
  expect(await say(sessionId, 'Write.')).toEqual({ stopReason: 'end_turn' });
  expect(written).toEqual([join(cwd, 'a.txt')]);
  expect([readFileSync(join(cwd, 'a.txt'), 'utf8'), existsSync(join(cwd, 'b.txt'))]).toEqual([
    'two\n',
    false,
  ]);
  const edits = asked.filter(({ toolCall }) => toolCall.kind === 'edit');
  expect(edits[0]).toMatchObject({
    toolCall: { toolCallId: 'w1', content: [{ type: 'diff', oldText: 'one\n', newText: 'two\n' }] },
  });
  expect(edits[0]?.options).toContainEqual({ optionId: 'allow', name: 'Allow once', kind: 'allow_once' });
  expect(edits[0]?.options).toContainEqual({ optionId: 'deny', name: 'Deny', kind: 'reject_once' });
  const ends = ofKind(updates, 'tool_call_update').filter(
    ({ status }) => status === 'completed' || status === 'failed',
  );
  expect(ends.map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
    ['w1', 'completed'],
    ['w2', 'failed'],
  ]);
  expect(ends[0]?.content).toMatchObject([{ type: 'diff', oldText: 'one\n', newText: 'two\n' }]);
});

test('[FACE-2] runs commands in terminals of the editor, and returns their output to the model', async () => {
  const { agent, updates, asked, commands, say } = await editor({ capabilities: { terminal: true } });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('s', 'shell', { commands: ['echo from the editor; exit 3'] }));
  upstream.next(says('Done.'));
  await say(sessionId, 'Run.');
  expect(commands.started).toMatchObject([
    { command: '/bin/sh', args: ['-c', 'echo from the editor; exit 3'], cwd },
  ]);
  expect(asked.at(-1)?.toolCall).toMatchObject({ toolCallId: 's', kind: 'execute' });
  expect(ofKind(updates, 'tool_call_update')).toContainEqual(
    expect.objectContaining({ toolCallId: 's', content: [{ type: 'terminal', terminalId: 't0' }] }),
  );
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('from the editor');
});

test('[CONSENT-9] asks once for the commands of a call, and says that terminals of the editor have no sandbox', async () => {
  const { agent, asked, commands, say } = await editor({ capabilities: { terminal: true } });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('s', 'shell', { commands: ['echo one', 'echo two'] }), says('Done.'));
  await say(sessionId, 'Run.');
  expect(commands.started).toHaveLength(2);
  expect(asked).toHaveLength(1);
  const texts = JSON.stringify(asked[0]?.toolCall.content);
  for (const text of ['not sandboxed', 'echo one', 'echo two']) expect(texts).toContain(text);
});

test('[FACE-2] allows commands by the prefix that the button names', async () => {
  const { agent, asked, say } = await editor({ permit: () => 'allow_prefix' });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('a', 'shell', { commands: ['echo so it begins'] }));
  upstream.next(calls('b', 'shell', { commands: ['echo so it ends'] }));
  upstream.next(calls('c', 'shell', { commands: ['echo or not; true'] }));
  upstream.next(says('Done.'));
  await say(sessionId, 'Run.');
  const shells = asked.filter(({ toolCall }) => toolCall.kind === 'execute');
  expect(shells.map(({ toolCall }) => toolCall.toolCallId)).toEqual(['a', 'c']);
  expect(shells[0]?.options).toContainEqual({
    optionId: 'allow_prefix',
    name: 'Always allow commands starting with "echo so"',
    kind: 'allow_always',
  });
  // A compound command has no prefix to allow: the button is missing, and pressing it anyway denies.
  expect(shells[1]?.options.map(({ optionId }) => optionId)).not.toContain('allow_prefix');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('so it ends');
});

test('[FACE-2] allows edits in the folder, except for files that git or a shell executes', async () => {
  const { agent, asked, say } = await editor({
    permit: ({ options }) => options.find(({ optionId }) => optionId === 'allow_edits')?.optionId ?? 'deny',
  });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  for (const path of ['a.txt', 'b.txt', '.git/config']) {
    upstream.next(calls(path, 'write_file', { path, content: 'new' }));
  }
  upstream.next(says('Done.'));
  await say(sessionId, 'Write.');
  expect(asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(['a.txt', '.git/config']);
  expect(existsSync(join(cwd, 'b.txt'))).toBe(true);
  expect(existsSync(join(cwd, '.git/config'))).toBe(false);
});

test('[FACE-2] offers MCP servers of the editor as tools of the session, and asks before a call that acts', async () => {
  const decisions = ['allow_session', 'deny'];
  const { agent, asked, updates, initialized, say } = await editor({ permit: () => decisions.shift()! });
  expect(initialized.agentCapabilities?.mcpCapabilities).toMatchObject({ http: true });
  // A path that starts with the folder of the editor.
  writeFileSync(join(cwd, 'every.mjs'), `await import(${JSON.stringify(EVERYTHING)});`);
  const secret = secretOf('header');
  const seen: IncomingHttpHeaders[] = [];
  const closed = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void closed.close());
  await once(closed, 'listening');
  const { sessionId } = await agent.request('session/new', {
    cwd,
    mcpServers: [
      {
        name: 'every',
        command: process.execPath,
        args: ['every.mjs', 'stdio'],
        env: [{ name: 'OF_THE_EDITOR', value: 'yes' }],
      },
      { type: 'http', name: 'other', url: `${kernel.url}/mcp`, headers: [] },
      {
        type: 'http',
        name: 'closed',
        url: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/mcp`,
        headers: [{ name: 'X-Key', value: secret }],
      },
    ],
  });
  await kernel.client.addMemory({ text: 'Tea at five.' });
  upstream.next(calls('m', 'mcp_editor_other_memory', {}));
  upstream.next(calls('e', 'mcp_editor_every_get-env', {}));
  upstream.next(calls('t1', 'mcp_editor_every_toggle-subscriber-updates', {}));
  upstream.next(calls('t2', 'mcp_editor_every_toggle-subscriber-updates', {}));
  upstream.next(calls('d', 'mcp_editor_other_ask', { text: 'May I?' }));
  upstream.next(says('Done.'));
  expect(await say(sessionId, 'Look around.')).toEqual({ stopReason: 'end_turn' });
  // Read-only actions and actions allowed for the session need no request.
  expect(asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(['t1', 'd']);
  expect(asked[1]).toMatchObject({
    sessionId,
    toolCall: { title: expect.stringContaining('May I?'), kind: 'other', rawInput: { text: 'May I?' } },
    options: [
      { optionId: 'allow', kind: 'allow_once' },
      { optionId: 'deny', kind: 'reject_once' },
      { optionId: 'allow_session', kind: 'allow_always' },
    ],
  });
  const ends = ofKind(updates, 'tool_call_update').filter(({ rawOutput }) => rawOutput !== undefined);
  const outputs = ends.map(({ toolCallId, status, rawOutput }) => [
    toolCallId,
    status,
    (rawOutput as { output: string }).output,
  ]);
  expect(outputs).toEqual([
    ['m', 'completed', expect.stringContaining('Tea at five.')],
    ['e', 'completed', expect.stringContaining('"OF_THE_EDITOR": "yes"')],
    ['t1', 'completed', expect.stringContaining('Started')],
    ['t2', 'completed', expect.stringContaining('Stopped')],
    ['d', 'failed', 'The user declined this call.'],
  ]);
  expect(seen[0]?.['x-key']).toBe(secret);
  expect(JSON.stringify(upstream.requests.map(({ body }) => body))).not.toContain(secret);
});

test('[FACE-2] ends a call of an editor MCP server with its turn, and the server with the session', async () => {
  const mark = randomUUID();
  const { agent, updates, say } = await editor();
  const { sessionId } = await agent.request('session/new', {
    cwd,
    mcpServers: [{ name: 'every', command: process.execPath, args: [EVERYTHING, 'stdio', mark], env: [] }],
  });
  upstream.next(
    calls('l', 'mcp_editor_every_trigger-long-running-operation', { duration: 600, steps: 6000 }),
  );
  const answer = say(sessionId, 'Work.');
  const progress = () =>
    ofKind(updates, 'tool_call_update').filter(
      ({ toolCallId, content }) => toolCallId === 'l' && JSON.stringify(content ?? '').includes(' of 6000'),
    );
  await expect.poll(() => progress().length, WAIT).toBeGreaterThan(0);
  await agent.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  const servers = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(mark).length - 1;
  expect(servers()).toBeGreaterThan(0);
  await agent.request('session/close', { sessionId });
  await expect.poll(servers, WAIT).toBe(0);
});

test('[FACE-2] leaves out editor tools whose names the kernel already has, and offers the others', async () => {
  const servers = { editor_other: { url: `${kernel.url}/mcp` } };
  const second = await kernelOf({ upstream, settings: { mcp: { servers } } });
  const names = async () => (await second.client.listTools()).tools.map(({ name }) => name);
  await expect.poll(names, WAIT).toContain('mcp_editor_other_memory');
  const { agent, say } = await editor({ url: second.url });
  const other = (name: string): acp.McpServer => {
    return { type: 'http', name, url: `${kernel.url}/mcp`, headers: [] };
  };
  const { sessionId } = await agent.request('session/new', {
    cwd,
    mcpServers: [other('other'), other('free')],
  });
  upstream.next(calls('f', 'mcp_editor_free_memory', {}), says('Nothing.'));
  expect(await say(sessionId, 'Look.')).toEqual({ stopReason: 'end_turn' });
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('No memories yet.');
});

test('[FACE-2] waits for starting MCP servers before a prompt, and can be canceled during the wait', async () => {
  const { agent, updates, say } = await editor();
  const { sessionId } = await agent.request('session/new', {
    cwd,
    mcpServers: [{ name: 'mute', command: 'sleep', args: ['1000'], env: [] }],
  });
  const answer = say(sessionId, 'Hello?');
  await agent.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  expect((await kernel.client.listMessages(sessionId)).messages).toEqual([]);
  expect(textOf(updates)).toBe('');
});

test('[FACE-2] acts itself in the folder, and only there, if the editor has no capabilities', async () => {
  const { agent, say } = await editor();
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const outside = join(directoryOfTest(), 'c.txt');
  upstream.next(calls('w', 'write_file', { path: 'c.txt', content: 'here' }));
  upstream.next(calls('x', 'write_file', { path: outside, content: 'there' }));
  upstream.next(says('Done.'));
  await say(sessionId, 'Write.');
  expect([readFileSync(join(cwd, 'c.txt'), 'utf8'), existsSync(outside)]).toEqual(['here', false]);
});

test('[FACE-2] cancels a prompt at any point of its start, and leaves nothing running', async () => {
  const silent = await startUpstream();
  const own = await kernelOf({ upstream: silent });
  const { agent, say } = await editor({ url: own.url });
  for (let ms = 0; ms < 20; ms += 2) {
    const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
    silent.next(held({ text: 'never' }).reply);
    const answer = say(sessionId, 'Think for long.');
    await sleep(ms);
    await agent.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect((await own.client.getChat(sessionId)).turn).toBeNull();
  }
});

test('[FACE-2] sends plans, ends the turn of a canceled prompt, and sets the effort by the mode', async () => {
  const { agent, updates, say } = await editor();
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('p', 'plan', { tasks: [{ title: 'Look', status: 'in_progress' }] }));
  const { reply } = held({ text: 'never' });
  upstream.next(reply);
  const answer = say(sessionId, 'Plan.');
  await expect.poll(() => ofKind(updates, 'plan').length, WAIT).toBeGreaterThan(0);
  expect(ofKind(updates, 'plan')[0]?.entries).toEqual([
    { content: 'Look', status: 'in_progress', priority: 'medium' },
  ]);
  await agent.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  await agent.request('session/set_mode', { sessionId, modeId: 'high' });
  expect((await kernel.client.getChat(sessionId)).effort).toBe('high');
  await expect(agent.request('session/set_mode', { sessionId, modeId: 'wild' })).rejects.toThrow(
    'Unknown mode: wild.',
  );
});

test('[FACE-2] replays a loaded session completely, continues it, and lists it with its folder', async () => {
  const first = await editor();
  const { sessionId } = await first.agent.request('session/new', { cwd, mcpServers: [] });
  upstream.next(calls('w', 'write_file', { path: 'd.txt', content: 'd' }));
  upstream.next(says('Written.'));
  await first.say(sessionId, 'Write d.');
  first.connection.close();
  const { agent, updates, say } = await editor();
  await agent.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(textOf(updates, 'user_message_chunk')).toBe('Write d.');
  expect(textOf(updates)).toBe('Written.');
  expect(ofKind(updates, 'tool_call')).toMatchObject([{ toolCallId: 'w', kind: 'edit' }]);
  const { sessions } = await agent.request('session/list', { cwd });
  expect(sessions).toMatchObject([{ sessionId, cwd }]);
  upstream.next(says('Again.'));
  await say(sessionId, 'Again?');
  expect(textOf(updates)).toBe('Written.Again.');
  await expect(agent.request('session/load', { sessionId: 'nobody', cwd, mcpServers: [] })).rejects.toThrow();
});

test('[FACE-2] rejects a folder that is not absolute, and creates no session', async () => {
  const { agent } = await editor();
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const before = (await kernel.client.listChats()).chats.length;
  const relative = { cwd: 'project', mcpServers: [] };
  const refused = { code: -32602, message: 'cwd must be an absolute path: project' };
  await expect(agent.request('session/new', relative)).rejects.toMatchObject(refused);
  await expect(agent.request('session/load', { ...relative, sessionId })).rejects.toMatchObject(refused);
  await expect(agent.request('session/resume', { ...relative, sessionId })).rejects.toMatchObject(refused);
  await expect(
    agent.request('session/new', { cwd, additionalDirectories: ['lib'], mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32602, message: 'additionalDirectories must be an absolute path: lib' });
  expect((await kernel.client.listChats()).chats.length).toBe(before);
});

test('[FACE-2] returns full pages of sessions, whatever other chats exist', async () => {
  const { agent } = await editor();
  const wanted = [];
  for (let n = 0; n < 60; n++) {
    const { id } = await kernel.client.createChat({ workdir: cwd, workdir_on: 'client' });
    wanted.unshift(id);
    for (let other = 0; other < 4; other++) await kernel.client.createChat();
  }
  const first = await agent.request('session/list', { cwd });
  expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual(wanted.slice(0, 50));
  const second = await agent.request('session/list', { cwd, cursor: first.nextCursor });
  expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(wanted.slice(50));
  expect(second.nextCursor ?? null).toBeNull();
  expect(await agent.request('session/list', { cwd: '/elsewhere' })).toMatchObject({ sessions: [] });
});

test.each([
  ['length', 'max_tokens', '[truncated] This reply was cut off before its end.'],
  ['content_filter', 'refusal', "[filtered] The provider's content filter stopped this reply."],
] as const)('[FACE-2] maps a reply that ends by %s to a prompt that ends by %s, with its note', async (finish, reason, note) => {
  const { agent, say, updates } = await editor();
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  kernel.upstream.next({ steps: [{ text: 'cut' }], finish });
  expect(await say(sessionId, 'Go.')).toMatchObject({ stopReason: reason });
  const notes = updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk');
  expect(notes).toEqual([{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: note } }]);
});

test('[FACE-2] shows a question of the model as a form of the editor, and discusses it if the form is closed', async () => {
  const answers: acp.CreateElicitationResponse[] = [
    { action: 'accept', content: { answer: 'Tea' } },
    { action: 'cancel' },
  ];
  const { agent, say } = await editor({
    capabilities: { elicitation: { form: {} } },
    answer: () => answers.shift()!,
  });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const options = [{ label: 'Tea' }, { label: 'Coffee' }];
  upstream.next(
    calls('q', 'ask_questions', {
      questions: [
        { question: 'Drink?', options },
        { question: 'Cake?', options },
      ],
    }),
  );
  upstream.next(says('Tea it is.'));
  await say(sessionId, 'Ask me.');
  const read = JSON.stringify(upstream.requests.at(-1)?.body);
  expect(read).toContain('Tea');
  expect(read).toContain('the user wants to discuss this');
});

test('[FACE-2] sends nothing twice when the kernel crashes during a turn', async () => {
  const dataDir = directoryOfTest();
  const first = await startKernelProcess({ upstream, dataDir });
  const { agent, updates, say } = await editor({ url: first.url });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const { reply } = held({ text: 'never' });
  upstream.next({ ...reply, steps: [{ text: 'One. ' }, ...(reply.steps ?? [])] });
  const answer = say(sessionId, 'Count.').catch(error => error.message);
  await expect.poll(() => textOf(updates), WAIT).toBe('One. ');
  await first.kill();
  const second = await startKernelProcess({ upstream, dataDir, port: Number(new URL(first.url).port) });
  onTestFinished(async () => void (await second.stop()));
  expect(await answer).toBe('The kernel stopped during the turn.');
  expect(textOf(updates)).toBe('One. ');
});

test('[FACE-2] returns an error to the editor if no kernel answers', async () => {
  const { agent } = await editor({ url: 'http://127.0.0.1:9' });
  await expect(agent.request('session/new', { cwd, mcpServers: [] })).rejects.toThrow(
    "Can't reach Chat Kernel at http://127.0.0.1:9. Start it with `chat-kernel up`, or pass another address with --url.",
  );
});

test('[FACE-2] runs a prompt with a file and a command in acpx, a third-party client', async () => {
  upstream.next(calls('w', 'write_file', { path: 'e.txt', content: 'by acpx' }));
  upstream.next(calls('s', 'shell', { commands: ['cat e.txt'] }));
  upstream.next(says('It says so.'));
  const agent = [process.execPath, PROGRAM, 'acp', '--url', kernel.url].join(' ');
  const { stdout } = await promisify(execFile)(
    ACPX,
    ['--agent', agent, '--cwd', cwd, '--approve-all', 'exec', 'Write e.'],
    {
      env: { PATH: process.env.PATH, HOME: directoryOfTest() },
    },
  );
  expect(stdout).toContain('It says so.');
  expect(readFileSync(join(cwd, 'e.txt'), 'utf8')).toBe('by acpx');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('by acpx');
});
