/** Hands for a real kernel: an operation runs once, live, on its own client, approved; a replay alone runs none. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { calls, says } from '../../../test/harness/story.ts';
import {
  type Approve,
  allowList,
  allowReads,
  ChatView,
  denyAll,
  type EventOf,
  type HandsOptions,
  HandsRunner,
  KernelClient,
  type Operation,
} from '../src/index.ts';
import { nodeHands } from '../src/node/index.ts';
import { type Cutter, startCutter } from './cutter.ts';

let kernel: TestKernel;
let wire: Cutter;
let client: KernelClient;
let workdir: string;
let remove: () => void;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());
beforeEach(async () => {
  wire = await startCutter(kernel.url);
  client = new KernelClient({ url: wire.url });
  const directory = temporaryDirectory();
  workdir = realpathSync(directory.path);
  remove = directory.remove;
});
afterEach(async () => {
  await wire.close();
  remove();
});

const allow: Approve = () => 'allow';
const shell = (id: string, command: string) => calls(id, 'shell', { commands: [command] });
let asked = 0;
const name = () => `call_${asked++}`;

function runnerFor(options: Partial<HandsOptions> = {}): HandsRunner {
  const runner = new HandsRunner(client, {
    hands: nodeHands({ workdir }),
    approve: allow,
    onError: failed,
    ...options,
  });
  onTestFinished(() => runner.close());
  return runner;
}
const failed = (error: unknown) => {
  throw error;
};
/** Returns a chat whose turn has ended, with the result of its one call as the model read it. */
async function turnWith(runner: HandsRunner, chatId: string): Promise<string | undefined> {
  const view = new ChatView(client, chatId, { hands: runner, retryMs: 5 });
  onTestFinished(() => view.close());
  await view.until(({ connection }) => connection.state === 'open');
  await view.send({ text: 'Go.', ...runner.turnFields });
  await view.until(
    ({ turn, items }) => turn?.done != null || items.some(({ kind }) => kind === 'machine_note'),
  );
  await runner.idle();
  return output(chatId);
}
const output = async (chatId: string) => {
  const call = (await kernel.api.items(chatId)).findLast(item => item.kind === 'tool_call');
  return call?.kind === 'tool_call' ? call.output : undefined;
};
const newChat = () => kernel.api.newChat({ title: 'Hands', workdir });

it('[OP-1] [OP-3] reads, writes and runs in the directory of its chat, and shows the project', async () => {
  writeFileSync(join(workdir, 'AGENTS.md'), 'Drink tea.');
  kernel.upstream.next(
    calls(name(), 'write_file', { path: 'a/b.txt', content: 'Größe' }),
    shell(name(), 'cat a/b.txt'),
    says('ok'),
  );
  const chat = await newChat();
  expect(await turnWith(runnerFor(), chat.id)).toContain('Größe');
  expect(readFileSync(join(workdir, 'a/b.txt'), 'utf8')).toBe('Größe');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain('Drink tea.');
});

it('[EV-12] an operation that was asked while the line was broken runs once, and no replay runs it again', async () => {
  kernel.upstream.next(shell(name(), 'echo x >> count'), says('ok'));
  const chat = await newChat();
  const runner = runnerFor();
  const view = new ChatView(client, chat.id, { hands: runner, retryMs: 5 });
  onTestFinished(() => view.close());
  await view.until(({ connection }) => connection.state === 'open');
  wire.refuse(true);
  wire.cut();
  const stream = await kernel.api.turn(chat.id, { text: 'Go.', ...runner.turnFields, project_docs: false });
  await stream.until('client_op');
  wire.refuse(false);
  await stream.all();
  await runner.idle();
  expect(readFileSync(join(workdir, 'count'), 'utf8')).toBe('x\n');
});

it('[EV-12] [XT-7] a replay alone executes nothing', async () => {
  const runner = runnerFor({ tools: { tea: async () => failed(new Error('it was called')) } });
  const op = {
    type: 'client_op',
    id: 'o',
    op_id: 'o',
    action: 'shell',
    command: 'touch ran',
    replayed: true,
  } as const;
  runner.take('chat', op);
  runner.take('chat', { type: 'extra_tool_call', id: 'x', name: 'tea', input: {}, replayed: true });
  await runner.idle();
  expect(() => readFileSync(join(workdir, 'ran'))).toThrow('ENOENT');
});

it('[EV-15] an operation that is sent twice runs once, and one whose request is over is not answered', async () => {
  const chat = await newChat();
  const states: string[] = [];
  const runner = runnerFor({ onOperation: (_, state) => states.push(state) });
  const { client_id } = runner;
  const what = { action: 'shell', command: 'echo x >> count', client_id } as const;
  const op = { type: 'client_op', id: 'o', op_id: 'o', ...what } as const;
  runner.take(chat.id, op);
  runner.take(chat.id, op);
  await runner.idle();
  runner.take(chat.id, op);
  await runner.idle();
  expect(readFileSync(join(workdir, 'count'), 'utf8')).toBe('x\n');
  expect(states).toEqual(['running', 'over']);
});

it('[EV-15] of two clients on one chat only the one that is meant runs the operation', async () => {
  kernel.upstream.next(shell(name(), 'echo x >> count'), says('ok'));
  const chat = await newChat();
  const other = runnerFor({ approve: () => failed(new Error('it was asked')) as never });
  const watching = new ChatView(client, chat.id, { hands: other, retryMs: 5 });
  onTestFinished(() => watching.close());
  await watching.until(({ connection }) => connection.state === 'open');
  await turnWith(runnerFor(), chat.id);
  await other.idle();
  expect(readFileSync(join(workdir, 'count'), 'utf8')).toBe('x\n');
});

describe('its owner', () => {
  const decided = async (
    approve: Approve,
  ): Promise<{ told: string | undefined; resolved: EventOf<'request_resolved'> }> => {
    kernel.upstream.next(shell(name(), 'touch ran'), says('ok'));
    const chat = await newChat();
    const runner = runnerFor({ approve });
    let resolved: EventOf<'request_resolved'> | undefined;
    for await (const event of client.turn(chat.id, {
      text: 'Go.',
      ...runner.turnFields,
      project_docs: false,
    })) {
      runner.take(chat.id, event);
      if (event.type === 'request_resolved') resolved = event;
    }
    return { told: await output(chat.id), resolved: resolved! };
  };

  it.each<[string, Approve]>([
    ['says no', denyAll],
    ['closes the dialog', () => undefined],
    ['has a dialog that breaks', () => failed(new Error('no screen')) as never],
    ['says what was not offered', () => 'perhaps' as never],
  ])('[OP-5] who %s has denied', async (_, approve) => {
    const { told, resolved } = await decided(approve);
    expect(resolved).toMatchObject({ reason: 'answered', decision: 'deny' });
    expect(told).toContain('The user declined this operation.');
  });

  it('[OP-4] is asked with the decisions that this client knows, and the one taken is sent', async () => {
    const shown: Operation[] = [];
    const { resolved } = await decided(operation => {
      shown.push(operation);
      return 'allow_session';
    });
    expect(shown).toMatchObject([
      {
        action: 'shell',
        decisions: ['allow', 'allow_session', 'allow_always', 'allow_prefix', 'deny'],
        params: { command: 'touch ran' },
      },
    ]);
    expect(resolved).toMatchObject({ reason: 'answered', decision: 'allow_session' });
  });

  it('[EV-13] has a dialog that closes when the operation is over', async () => {
    kernel.upstream.next(shell(name(), 'touch ran'));
    const chat = await newChat();
    const closed = Promise.withResolvers<void>();
    const runner = runnerFor({
      approve: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => closed.resolve());
          void kernel.api.post(`/v1/chats/${chat.id}/cancel`);
        }),
    });
    for await (const event of client.turn(chat.id, {
      text: 'Go.',
      ...runner.turnFields,
      project_docs: false,
    })) {
      runner.take(chat.id, event);
    }
    await closed.promise;
    await runner.idle();
    expect(() => readFileSync(join(workdir, 'ran'))).toThrow('ENOENT');
  });
});

describe('a policy', () => {
  const about = (action: string, params: Record<string, unknown>, approve: Approve) =>
    approve({ op_id: 'o', chat_id: 'c', action, params }, new AbortController().signal);

  it('allows reads under its directory, and asks about all else', () => {
    const policy = allowReads('/home/me/tea', denyAll);
    expect(about('read', { path: '/home/me/tea/a' }, policy)).toBe('allow');
    expect(about('read', { path: 'a' }, policy)).toBe('allow');
    expect(about('find_bytes', { path: 'a/b' }, policy)).toBe('allow');
    expect(about('read', { path: '/home/me/teapot' }, policy)).toBe('deny');
    expect(about('read', { path: '../key' }, policy)).toBe('deny');
    expect(about('read', { path: '/home/me/tea/../key' }, policy)).toBe('deny');
    expect(about('write', { path: 'a' }, policy)).toBe('deny');
    expect(about('shell', { command: 'cat a' }, policy)).toBe('deny');
  });

  it('allows what is on its list, to the letter', () => {
    const policy = allowList(
      [
        { action: 'shell', command: 'npm test' },
        { action: 'write', path: '/tmp/x' },
        { action: 'write', path: './src/' },
      ],
      denyAll,
    );
    expect(about('shell', { command: 'npm test' }, policy)).toBe('allow');
    expect(about('shell', { command: 'npm test; rm -rf /' }, policy)).toBe('deny');
    expect(about('write', { path: '/tmp/x/y' }, policy)).toBe('allow');
    expect(about('write', { path: '/tmp/y' }, policy)).toBe('deny');
    // No rule says where relative paths begin.
    expect(about('write', { path: 'y' }, policy)).toBe('deny');
    expect(about('write', { path: 'src/./y' }, policy)).toBe('allow');
    expect(about('write', { path: 'srcs/y' }, policy)).toBe('deny');
    expect(about('write', { path: '/src/y' }, policy)).toBe('deny');
    expect(about('write', { path: 'src/../y' }, policy)).toBe('deny');
  });
});

it('[OP-6] an action that it does not have is answered so, and the owner is not asked', async () => {
  kernel.upstream.next(shell(name(), 'ls'), says('ok'));
  const chat = await newChat();
  const runner = runnerFor({
    hands: { read: async () => '' },
    approve: () => failed(new Error('it was asked')) as never,
  });
  expect(await turnWith(runner, chat.id)).toContain('unknown op action');
});

it('[XT-2] answers calls of the extra tools that it has', async () => {
  kernel.upstream.next(calls(name(), 'tea', { cups: 2 }), calls(name(), 'tea', { cups: 0 }), says('ok'));
  const chat = await newChat();
  const runner = runnerFor({
    tools: {
      tea: async ({ cups }) => {
        if (cups === 0) throw new Error('no cups');
        return `${cups} cups`;
      },
    },
  });
  const input_schema = { type: 'object', properties: { cups: { type: 'number' } } };
  const extra_tools = [{ name: 'tea', description: 'Makes tea.', input_schema }];
  for await (const event of client.turn(chat.id, { text: 'Go.', extra_tools })) runner.take(chat.id, event);
  const outputs = (await kernel.api.items(chat.id)).flatMap(item =>
    item.kind === 'tool_call' ? [item.output] : [],
  );
  expect(outputs).toEqual(['2 cups', expect.stringContaining('no cups')]);
});

it('[OP-10] a command is killed when its turn ends', async () => {
  kernel.upstream.next(shell(name(), 'echo begun; sleep 60'));
  const chat = await newChat();
  const runner = runnerFor();
  for await (const event of client.turn(chat.id, {
    text: 'Go.',
    ...runner.turnFields,
    project_docs: false,
  })) {
    runner.take(chat.id, event);
    if (event.type === 'tool_progress' && event.output.includes('begun')) void client.cancelTurn(chat.id);
  }
  const before = Date.now();
  await runner.idle();
  expect(Date.now() - before).toBeLessThan(20_000);
});
