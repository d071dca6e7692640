import { expect, test } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';

test('smoke', async () => {
  let t = Date.now();
  const kernel = await startKernel();
  console.log('start', Date.now() - t);
  t = Date.now();
  const chat = await kernel.api.newChat();
  console.log('chat', Date.now() - t);
  t = Date.now();
  const events = await kernel.api.say(chat.id, 'hi');
  console.log('say', Date.now() - t);
  t = Date.now();
  console.log(events);
  await kernel.stop();
  console.log('stop', Date.now() - t);
  t = Date.now();
  const p = await startKernelProcess();
  console.log('pstart', Date.now() - t);
  t = Date.now();
  console.log(await p.stop());
  console.log('pstop', Date.now() - t);
});
