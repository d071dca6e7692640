/** Tests that an idle stream sends heartbeats. This is the only test that has to wait for real time. */
import { expect, onTestFinished, test } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { stuck } from '../harness/story.ts';

test('[EV-1] sends a comment line every 15 seconds on a silent stream', { timeout: 120_000 }, async () => {
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
