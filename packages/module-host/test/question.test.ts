/** Tests questions of a module to the owner outside of calls. */
import { join } from 'node:path';
import { KernelError, type QuestionParams } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { hostTestbed, served, until } from './test-host.ts';

const QUESTION = { question: 'Is this mail yours?', options: [{ label: 'Yes' }, { label: 'No' }] };

async function postman({ approved = true } = {}) {
  const { socket_dir, host: open } = await hostTestbed();
  const module = await served({ name: 'postman' }, join(socket_dir, 'postman.sock'));
  const host = await open();
  if (approved) await host.approve('postman');
  const asked: { module: string; question: QuestionParams; over: AbortSignal }[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  promise.catch(() => {});
  host.onQuestion((module, question, over) => {
    asked.push({ module, question, over });
    return promise;
  });
  const { heard, send } = module.speakers[0]!;
  return {
    ...{ module, asked, resolve, reject },
    /** Sends a question, and resolves with the response. */
    async ask(params: object = QUESTION) {
      send({ id: 'q', method: 'question', params });
      await until(() => heard.some(({ id }) => String(id) === 'q'));
      return heard.find(({ id }) => String(id) === 'q');
    },
    send: () => send({ id: 'q', method: 'question', params: QUESTION }),
  };
}

test.each(['Yes', null])('asks the owner under the name of the module, and returns %j', async answer => {
  const { asked, ask, resolve } = await postman();
  resolve(answer);
  expect(await ask()).toMatchObject({ result: { answer } });
  expect(asked).toMatchObject([{ module: 'postman', question: QUESTION }]);
});

test('rejects questions of a module that is not approved, and invalid ones', async () => {
  const pending = await postman({ approved: false });
  expect(await pending.ask()).toMatchObject({ error: { message: 'The module is not approved.' } });
  const { ask, asked } = await postman();
  expect(await ask({ question: 'Why?' })).toMatchObject({ error: { code: -32602 } });
  expect([...pending.asked, ...asked]).toEqual([]);
});

test('reports why the kernel does not ask', async () => {
  const { ask, reject } = await postman();
  reject(new KernelError('too_busy', 'The module has too many open questions.'));
  expect(await ask()).toMatchObject({ error: { message: 'The module has too many open questions.' } });
});

test('withdraws a question if the module disconnects', async () => {
  const { send, asked, module } = await postman();
  send();
  await until(() => asked.length > 0);
  expect(asked[0]!.over.aborted).toBe(false);
  module.close();
  await until(() => asked[0]!.over.aborted);
});
