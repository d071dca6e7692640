/** A stream on which nothing happens shows that it lives: the one test that has to wait. */
import { expect, onTestFinished, test } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { stuck } from '../harness/story.ts';

test('[EV-1] a silent stream has a comment line every 15 seconds', { timeout: 120_000 }, async () => {
  const { api, upstream, stop } = await startKernel();
  onTestFinished(stop);
  const chat = await api.newChat();
  upstream.next(stuck({ text: 'Well' }));
  const stream = await api.turn(chat.id, { text: 'Go.' });
  const following = await api.live((await api.newChat()).id, '?follow=true');
  await new Promise(resolve => setTimeout(resolve, 14_000));
  expect([stream.comments, following.comments]).toEqual([[], []]);
  await new Promise(resolve => setTimeout(resolve, 2_000));
  expect([stream.comments, following.comments]).toEqual([[': heartbeat'], [': heartbeat']]);
  following.hangUp();
  await api.post(`/v1/chats/${chat.id}/cancel`);
  await stream.all();
});
