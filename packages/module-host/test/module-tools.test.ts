/** Tests the tools module_list and module_approve (BT-6). */
import { join } from 'node:path';
import type { NewRequest, RequestEnding, ToolContext, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { type ModuleHost, type ModuleHostDeps, moduleTools } from '../src/index.ts';
import { hostTestbed, MASTER, served, statusOf, until } from './test-host.ts';

const TOOL = { name: 'echo', description: '' };

async function pending(parts: Partial<ModuleHostDeps> = {}) {
  const { socket_dir, host: open } = await hostTestbed();
  const declared = { name: 'parrot', tools: [TOOL], stages: [{ stage: 'message' }] };
  const module = await served(declared, join(socket_dir, 'parrot.sock'));
  return { host: await open(parts), module };
}

/** Starts module_approve; `end` ends its question. */
function ask(host: ModuleHost, turn_context = MASTER) {
  const opened: NewRequest[] = [];
  const { promise: ending, resolve: end } = Promise.withResolvers<RequestEnding>();
  const context = {
    turn_id: 't',
    call_id: 'call_1',
    turn_context,
    request(opening: NewRequest) {
      opened.push(opening);
      return { ending, end() {} };
    },
  } as unknown as ToolContext;
  const tool = toolOf(host, 'module_approve');
  const begun = tool.begin!({ name: 'parrot' }, context);
  const ran = (input: JsonObject): Promise<ToolOutput> => tool.run(input, context);
  return { begun, opened, end, ran };
}

const toolOf = (host: ModuleHost, name: string) => moduleTools(host, 60).find(tool => tool.name === name)!;

const answered = (answer: object): RequestEnding => ({
  reason: 'answered',
  answer: { id: 'call_1', ...answer },
});

test('[BT-6] module_list describes each module', async () => {
  const { host } = await pending({ describeOmitted: ([tool]) => [`p/m does not get ${tool}: refused.`] });
  const list = toolOf(host, 'module_list');
  expect(await list.run({}, {} as never)).toEqual({
    output: [
      '== parrot',
      'status: pending',
      'version: 1.0.0',
      'about: tests',
      'tools: parrot_echo',
      'stages: message',
      'problem: it is pending approval',
      'problem: p/m does not get parrot_echo: refused.',
    ].join('\n'),
  });
  await host.stop();
  const { host: open } = await hostTestbed();
  expect(await toolOf(await open(), 'module_list').run({}, {} as never)).toEqual({
    output: 'No modules are installed.',
  });
});

test('[BT-6] module_approve asks the master, and shows the declaration in the question', async () => {
  const { host } = await pending();
  expect(toolOf(host, 'module_approve')).toMatchObject({
    lead_only: true,
    trusted_only: true,
    asks_questions: true,
  });
  const { begun, opened, end } = ask(host);
  expect(begun!.input).toEqual({
    name: 'parrot',
    questions: [
      {
        question:
          'Approve the module parrot, version 1.0.0 (tests)? It adds the tools parrot_echo and runs in turns at the stages message.',
        header: 'Module',
        options: [
          { label: 'Approve', description: expect.any(String) },
          { label: 'Deny', description: expect.any(String) },
        ],
      },
    ],
    decisions: { discuss: expect.any(String), answer_in_text: expect.any(String) },
  });
  expect(opened).toEqual([
    {
      kind: 'question',
      event: { type: 'tool_call', id: 'call_1', name: 'module_approve', input: begun!.input },
      timeout_secs: 60,
      question: 0,
      decisions: ['discuss', 'answer_in_text'],
    },
  ]);
  expect(statusOf(host, 'parrot')).toBe('pending');
  end(answered({ answer: 'Approve' }));
  expect(await begun!.output).toEqual({ output: 'The module parrot is approved. Its tools: parrot_echo.' });
  expect(statusOf(host, 'parrot')).toBe('up');
});

test.each<[string, RequestEnding, object]>([
  ['the other option', answered({ answer: 'Deny' }), {}],
  ['a longer answer with the same start', answered({ answer: 'Approve it later' }), {}],
  ['an approval with another decision', answered({ answer: 'Approve', decision: 'discuss' }), {}],
  ['an answer in the next message', answered({ decision: 'answer_in_text' }), { ends_turn: true }],
  ['a client that cannot ask', answered({ answer: 'Approve', error: 'no screen' }), { is_error: true }],
  ['no response', { reason: 'expired' }, { is_error: true }],
  ['the end of the turn', { reason: 'turn_ended' }, { is_error: true }],
])('[BT-6] does not approve on %s', async (_, ending, told) => {
  const { host } = await pending();
  const { begun, end } = ask(host);
  end(ending);
  expect(await begun!.output).toMatchObject({ output: expect.stringMatching(/./), ...told });
  expect(statusOf(host, 'parrot')).toBe('pending');
});

test('[BT-6] does not approve a module that changes while the question is open', async () => {
  const { host, module } = await pending();
  const { begun, end } = ask(host);
  const seen = host.fingerprint('parrot');
  module.speakers[0]!.send({ method: 'tools/changed', params: { tools: [TOOL, { ...TOOL, name: 'rm' }] } });
  await until(() => host.fingerprint('parrot') !== seen);
  end(answered({ answer: 'Approve' }));
  expect(await begun!.output).toMatchObject({
    is_error: true,
    output: expect.stringContaining('has changed'),
  });
  expect(statusOf(host, 'parrot')).toBe('pending');
});

test('[BT-6] asks only the master, and only about modules without an approval', async () => {
  const { host } = await pending();
  const other = ask(host, { ...MASTER, privileged: false, anchor: { chat_id: 1, message_id: 2 } });
  expect(other.begun).toBeNull();
  expect(other.opened).toEqual([]);
  expect(await other.ran({ name: 'parrot' })).toEqual({
    output: 'Only the user can approve a module.',
    is_error: true,
  });
  expect(await ask(host).ran({ name: 'crow' })).toMatchObject({
    output: 'There is no module crow. module_list lists all modules.',
    is_error: true,
  });
  await host.approve('parrot');
  const again = ask(host);
  expect(again.begun).toBeNull();
  expect(await again.ran({ name: 'parrot' })).toMatchObject({
    output: 'The module parrot is not pending: its status is up.',
  });
  await host.revoke('parrot');
  expect(ask(host).begun).not.toBeNull();
});
