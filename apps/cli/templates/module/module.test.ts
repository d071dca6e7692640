/** Tests the module with a kernel in memory: npm test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKernel } from '@chat-kernel/module-sdk';
import module from './module.ts';

test('counts words, and rejects invalid input', async () => {
  const kernel = await testKernel(module);
  assert.deepEqual(await kernel.call('count', { text: 'one two three' }), { output: '3 words' });
  assert.deepEqual(await kernel.call('count', { text: 'a bc', longer_than: 1 }), { output: '1 words' });
  assert.equal((await kernel.call('count', { text: ' ' })).is_error, true);
  await assert.rejects(kernel.call('count', { text: 7 }), { code: -32602 });
  await kernel.stop();
});

test('blocks a message with "do not send"', async () => {
  const kernel = await testKernel(module);
  const message = { text: 'hello', sender: '', attachments: [] };
  assert.equal((await kernel.stage('message', message)).action, 'pass');
  assert.equal((await kernel.stage('message', { ...message, text: 'do not send' })).action, 'block');
  await kernel.stop();
});
