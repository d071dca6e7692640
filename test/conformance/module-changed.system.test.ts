/**
 * Tests modules that change after their approval: their stages stop turns, their names stay reserved, and the user is
 * asked.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { PendingRequest } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { becomes, type Declared, listening, moduleOf, places, tool } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const GUARD: Declared = {
  name: 'guard',
  about: 'watches',
  tools: [tool('echo'), tool('retool')],
  stages: [{ stage: 'tool_call', on_error: 'block' }, { stage: 'message' }, { stage: 'turn_done' }],
};
const NIL = '00000000-0000-0000-0000-000000000000';
const CHANGED =
  'The module guard blocked think_harder: The module guard has changed since its approval and is pending approval.';

async function gone(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A kernel whose module guard is approved. */
async function approved() {
  const { at } = places();
  const { path: dataDir, remove } = temporaryDirectory();
  const options = { dataDir, settings: { modules: { socket_dir: at('.') } } };
  const child = listening(GUARD, at('guard.sock'));
  const kernel = await startKernel(options);
  onTestFinished(remove);
  await becomes(kernel.api, 'guard', 'pending');
  await kernel.api.post('/v1/modules/guard/approve');
  await becomes(kernel.api, 'guard', 'up');
  return { ...kernel, child, socket: at('guard.sock'), options };
}

/** Makes the module announce other tools. */
async function retool({ client, upstream, api }: TestKernel): Promise<void> {
  const chat = await client.createChat();
  upstream.next(calls('r', 'guard_retool', { tools: [tool('sing')] }), says('Done.'));
  await client.say(chat.id, 'Go.');
  await becomes(api, 'guard', 'pending');
}

/** Returns the output that a turn reads from a call that the module guards. */
async function guarded({ client, upstream }: TestKernel): Promise<string | undefined> {
  const chat = await client.createChat();
  upstream.next(calls('t', 'think_harder', {}), says('Done.'));
  return eventsOf(await client.say(chat.id, 'Go.'), 'tool_result')[0]?.output;
}
const PASSES = expect.stringContaining('effort');

const pending = async ({ client }: TestKernel): Promise<PendingRequest[]> =>
  (await client.listRequests()).requests as PendingRequest[];

const answer = ({ client }: TestKernel, { id, chat_id }: PendingRequest, words: string) =>
  client.answerRequest(chat_id, { id, question: 0, answer: words });

test('[MOD-2] [MOD-7] stops inputs of the approved blocking stage while a module with other tools waits for approval', async () => {
  const kernel = await approved();
  onTestFinished(() => kernel.stop());
  const { api } = kernel;
  const watching = await api.events();
  expect(await guarded(kernel)).toEqual(PASSES);
  await retool(kernel);
  expect(await guarded(kernel)).toBe(CHANGED);
  const opened = await watching.until('request_opened');
  const [request] = await pending(kernel);
  expect(request).toEqual(opened.request);
  expect(request).toMatchObject({
    kind: 'question',
    chat_id: NIL,
    turn_id: NIL,
    question: 0,
    event: {
      type: 'tool_call',
      name: 'module_approve',
      input: {
        name: 'guard',
        questions: [
          {
            question: expect.stringMatching(
              /^The module guard has changed since you approved it\..*guard_sing/,
            ),
            options: [{ label: 'Approve' }, { label: 'Revoke' }, { label: 'Decide later' }],
          },
        ],
      },
    },
  });
  await answer(kernel, request as PendingRequest, 'Approve');
  await becomes(api, 'guard', 'up');
  expect(await watching.until('request_resolved')).toMatchObject({
    id: request?.id,
    chat_id: NIL,
    reason: 'answered',
  });
  watching.hangUp();
  expect(await pending(kernel)).toEqual([]);
  expect(await guarded(kernel)).toEqual(PASSES);
  expect((await moduleOf(api, 'guard'))?.tools).toEqual(['guard_sing']);
});

test('[MOD-2] [MOD-3] [XT-2] reserves the names of its tools until the approval', async () => {
  const kernel = await approved();
  onTestFinished(() => kernel.stop());
  await retool(kernel);
  const chat = await kernel.client.createChat();
  for (const name of ['guard_echo', 'guard_sing']) {
    const body = { text: 'Go.', extra_tools: [{ name, description: 'Mine.' }] };
    const refused = await kernel.api.post(`/v1/chats/${chat.id}/messages`, body);
    expect(refused.body.code).toBe('tool_name_taken');
  }
  const { tools } = await kernel.client.listTools();
  expect(tools.filter(({ name }) => name.startsWith('guard'))).toEqual([]);
});

test('[MOD-2] [MOD-7] applies the approved stages, whatever the module declares now, also over a restart', async () => {
  const first = await approved();
  await gone(first.child);
  listening({ ...GUARD, version: '2.0.0', stages: [] }, first.socket);
  await becomes(first.api, 'guard', 'pending');
  expect(await guarded(first)).toBe(CHANGED);
  expect(await pending(first)).toHaveLength(1);
  await first.stop();
  const second = await kernelOf(first.options);
  await becomes(second.api, 'guard', 'pending');
  expect(await guarded(second)).toBe(CHANGED);
  const [request] = await pending(second);
  await answer(second, request as PendingRequest, 'Decide later');
  expect(await guarded(second)).toBe(CHANGED);
  expect(await pending(second)).toEqual([]);
  expect((await second.api.post('/v1/modules/guard/revoke')).body.status).toBe('revoked');
  expect(await guarded(second)).toEqual(PASSES);
});

test('[MOD-2] revokes the module by an answer to the same request, and closes the request after another decision', async () => {
  const kernel = await approved();
  onTestFinished(() => kernel.stop());
  await retool(kernel);
  const [request] = await pending(kernel);
  await answer(kernel, request as PendingRequest, 'Revoke');
  await becomes(kernel.api, 'guard', 'revoked');
  expect(await guarded(kernel)).toEqual(PASSES);
  await kernel.api.post('/v1/modules/guard/approve');
  await gone(kernel.child);
  listening({ ...GUARD, about: 'watches more' }, kernel.socket);
  await becomes(kernel.api, 'guard', 'pending');
  await expect.poll(() => pending(kernel)).toHaveLength(1);
  await kernel.api.post('/v1/modules/guard/approve');
  expect(await pending(kernel)).toEqual([]);
});
