/**
 * Tests hands with a real kernel: an operation runs once, live, on its own client, and approved; a replay alone runs
 * none.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OFFERED_PREFIX } from '../../../test/harness/decision.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, says } from '../../../test/harness/story.ts';
import {
  type Approve,
  allowList,
  allowReads,
  ChatView,
  denyAll,
  describeConsent,
  type EventOf,
  type Hands,
  type HandsOptions,
  HandsRunner,
  KernelClient,
  type Operation,
  type TurnEvent,
} from '../src/index.ts';
import { type Cutter, startCutter } from './cutter.ts';

let wire: Cutter;
let client: KernelClient;
let workdir: string;
let remove: () => void;
const kernel = sharedKernel();
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
/** Hands whose commands start no program, and the commands that they ran. */
function countingHands() {
  const ran: string[] = [];
  const hands: Hands = {
    async shell({ command }) {
      ran.push(command);
      return { output: '', exit_code: 0 };
    },
  };
  return { ran, hands };
}
/** Returns a chat whose turn has ended, with the result of its only call as the model read it. */
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

it('[CONSENT-7] tells the hands which commands only a prefix covers', async () => {
  const seen: unknown[] = [];
  const runner = runnerFor({
    hands: {
      async shell({ command }, { by_prefix }) {
        seen.push([command, by_prefix]);
        return { output: '', exit_code: 0 };
      },
    },
    approve: ({ params }) =>
      params.command === 'git log' ? { decision: 'allow_prefix', prefix: 'git log' } : 'allow',
    record: { covers: () => true, coversByPrefix: () => true, give() {} },
  });
  const commands = ['git log', 'git log -p', 'git diff'];
  kernel.upstream.next(calls(name(), 'shell', { commands }), says('ok'));
  await turnWith(runner, (await newChat()).id);
  expect(seen).toEqual([
    ['git log', true],
    ['git log -p', true],
    ['git diff', false],
  ]);
});

it('[EV-12] runs an operation from a lost connection once, and never from a replay', async () => {
  kernel.upstream.next(shell(name(), 'count'), says('ok'));
  const chat = await newChat();
  const { ran, hands } = countingHands();
  const runner = runnerFor({ hands });
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
  expect(ran).toEqual(['count']);
});

it('[EV-12] [XT-7] executes nothing from a replay', async () => {
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

it('[EV-15] runs a repeated operation once, and does not answer an ended request', async () => {
  const chat = await newChat();
  const states: string[] = [];
  const { ran, hands } = countingHands();
  const runner = runnerFor({ hands, onOperation: (_, state) => states.push(state) });
  const { client_id } = runner;
  const what = { action: 'shell', command: 'count', client_id } as const;
  const op = { type: 'client_op', id: 'o', op_id: 'o', ...what } as const;
  runner.take(chat.id, op);
  runner.take(chat.id, op);
  await runner.idle();
  runner.take(chat.id, op);
  await runner.idle();
  expect(ran).toEqual(['count']);
  expect(states).toEqual(['running', 'over']);
});

it('[EV-15] runs an operation only on the addressed client of a chat', async () => {
  kernel.upstream.next(shell(name(), 'count'), says('ok'));
  const chat = await newChat();
  const { ran, hands } = countingHands();
  const other = runnerFor({
    hands,
    approve: () => failed(new Error('it was asked')) as never,
  });
  const watching = new ChatView(client, chat.id, { hands: other, retryMs: 5 });
  onTestFinished(() => watching.close());
  await watching.until(({ connection }) => connection.state === 'open');
  await turnWith(runnerFor({ hands }), chat.id);
  await other.idle();
  expect(ran).toEqual(['count']);
});

it.each([
  ['of the kernel', null, false, 1],
  ['of a connected machine', 'attic', true, 1],
  ['of a connected machine, if others decide', 'attic', false, 0],
] as const)('[CONSENT-1] only decides about an operation %s', async (_, hands, standby, count) => {
  const shown: Operation[] = [];
  const sent: object[] = [];
  client.answerRequest = async (_, answer) => {
    sent.push(answer ?? {});
    return { ok: true, resolution: { id: 'o', kind: 'op', reason: 'answered' } };
  };
  const approve: Approve = operation => {
    shown.push(operation);
    return 'allow';
  };
  const runner = runnerFor({ approve, standby });
  const event = {
    type: 'consent_request',
    id: 'o',
    op_id: 'o',
    action: 'shell',
    command: 'touch ran',
  } as const;
  const asked = { decisions: ['allow', 'deny'], reason: 'Because.', outside: ['web:example.org'], hands };
  runner.take('chat', { ...event, ...asked, replayed: true });
  expect(shown).toEqual([]);
  // Older kernels send the same as client_op.
  for (const type of ['consent_request', 'client_op'] as const) {
    runner.take(type, { ...event, ...asked, type } as TurnEvent);
    await runner.idle();
  }
  const [operation] = shown;
  expect(sent).toEqual(Array(2 * count).fill({ id: 'o', decision: 'allow' }));
  if (operation)
    expect(describeConsent(operation)).toEqual(['Because.', 'This turn has read: web:example.org']);
  expect(() => readFileSync(join(workdir, 'ran'))).toThrow('ENOENT');
});

it('[CONSENT-9] describes a command outside of the sandbox by the reason of the model', () => {
  const params = { command: 'make', outside_sandbox: 'It needs a socket.' };
  const reason = 'This command is to run outside of the sandbox.';
  const lines = [reason, 'The model says: It needs a socket.'];
  expect(describeConsent({ params })).toEqual(lines);
  expect(describeConsent({ params, reason, outside: ['web:a'] })).toEqual([
    ...lines,
    'This turn has read: web:a',
  ]);
  expect(describeConsent({ params: { command: 'make' } })).toEqual([]);
});

it('[CONSENT-9] names the sandbox of this machine in requests about its commands', async () => {
  const shown: Operation[] = [];
  client.answerRequest = async () => ({ ok: true, resolution: { id: 'o', kind: 'op', reason: 'answered' } });
  const approve: Approve = operation => {
    shown.push(operation);
    return 'deny';
  };
  const runner = runnerFor({ approve, sandbox: async () => 'bwrap' });
  for (const action of ['shell', 'write']) {
    const event = { type: 'client_op', id: action, op_id: action, action, decisions: ['allow', 'deny'] };
    runner.take('chat', { ...event, client_id: runner.client_id } as unknown as TurnEvent);
    await runner.idle();
  }
  expect(shown.map(({ action, sandbox }) => [action, sandbox])).toEqual([
    ['shell', 'bwrap'],
    ['write', undefined],
  ]);
});

describe('its owner', () => {
  const decided = async (
    approve: Approve,
    options: Partial<HandsOptions> = {},
  ): Promise<{ told: string | undefined; resolved: EventOf<'request_resolved'> }> => {
    kernel.upstream.next(shell(name(), 'touch ran'), says('ok'));
    const chat = await newChat();
    const runner = runnerFor({ approve, ...options });
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
    ['has a dialog that fails', () => failed(new Error('no screen')) as never],
    ['selects a decision that was not offered', () => 'perhaps' as never],
  ])('[OP-5] denies the operation if the owner %s', async (_, approve) => {
    const { told, resolved } = await decided(approve);
    expect(resolved).toMatchObject({ reason: 'answered', decision: 'deny' });
    expect(told).toContain('The user declined this operation.');
  });

  it('[HANDS-7] sends the reason of a denial, also for operations of this machine', async () => {
    const approve: Approve = () => ({ decision: 'deny', error: 'use make clean' });
    const words = 'The user declined this operation. They said: use make clean';
    expect((await decided(approve)).told).toContain(words);
    kernel.upstream.next(shell(name(), 'touch ran'), says('ok'));
    const chat = await newChat();
    const runner = runnerFor({ approve });
    for await (const event of client.turn(chat.id, {
      text: 'Go.',
      ...runner.turnFields,
      project_docs: false,
    })) {
      // A kernel that requests no decision.
      const { decisions: _, ...undecided } = { decisions: undefined, ...event };
      runner.take(chat.id, undecided as TurnEvent);
    }
    expect(await output(chat.id)).toContain(words);
  });

  it('[OP-4] offers the decisions that this client knows, and sends the selected one', async () => {
    const shown: Operation[] = [];
    const { ran, hands } = countingHands();
    const approve: Approve = operation => {
      shown.push(operation);
      return 'allow_session';
    };
    const { resolved } = await decided(approve, { hands });
    expect(shown).toMatchObject([
      {
        action: 'shell',
        decisions: OFFERED_PREFIX,
        params: { command: 'touch ran' },
      },
    ]);
    expect(resolved).toMatchObject({ reason: 'answered', decision: 'allow_session' });
    expect(ran).toEqual(['touch ran']);
  });

  it('[EV-13] closes the dialog when the operation ends', async () => {
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

  it('allows reads below its directory, and asks about everything else', () => {
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

  it('[CONSENT-9] lists no command outside of the sandbox', () => {
    const policy = allowList([{ action: 'shell', command: 'npm test' }], denyAll);
    expect(about('shell', { command: 'npm test', outside_sandbox: 'Why.' }, policy)).toBe('deny');
  });

  it('[CONSENT-5] allows no reads of secret places with all others', () => {
    const policy = allowReads('/home/me', denyAll);
    expect(about('read', { path: '/home/me/notes' }, policy)).toBe('allow');
    expect(about('read', { path: '/home/me/.ssh/config' }, policy)).toBe('deny');
    expect(about('read_bytes', { path: 'app/.env' }, policy)).toBe('deny');
    expect(about('find_bytes', { path: 'app/tls.key' }, policy)).toBe('deny');
  });

  it('allows exact matches of its list only', () => {
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
    // No rule defines the base of relative paths.
    expect(about('write', { path: 'y' }, policy)).toBe('deny');
    expect(about('write', { path: 'src/./y' }, policy)).toBe('allow');
    expect(about('write', { path: 'srcs/y' }, policy)).toBe('deny');
    expect(about('write', { path: '/src/y' }, policy)).toBe('deny');
    expect(about('write', { path: 'src/../y' }, policy)).toBe('deny');
  });
});

it('[OP-6] answers an unknown action with an error, without asking the owner', async () => {
  kernel.upstream.next(shell(name(), 'ls'), says('ok'));
  const chat = await newChat();
  const runner = runnerFor({
    hands: { read: async () => '' },
    approve: () => failed(new Error('it was asked')) as never,
  });
  expect(await turnWith(runner, chat.id)).toContain('unknown op action');
});

it('[XT-2] answers calls of its extra tools', async () => {
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
