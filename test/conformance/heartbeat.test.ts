/** Tests that an idle stream sends heartbeats. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { stuck } from '../harness/story.ts';

test('[EV-1] sends a comment line every 15 seconds on a silent stream', async () => {
  const { api, upstream, stop } = await startKernel();
  onTestFinished(stop);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const chat = await api.newChat();
  upstream.next(stuck({ text: 'Well' }));
  const stream = await api.turn(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  const following = await api.live((await api.newChat()).id, '?follow=true');
  const comments = () => [stream.comments, following.comments];
  vi.advanceTimersByTime(15_000);
  await expect.poll(comments).toEqual([[': heartbeat'], [': heartbeat']]);
  // No other one within the next 15 seconds.
  vi.advanceTimersByTime(14_000);
  await api.post(`/v1/chats/${chat.id}/cancel`);
  await stream.all();
  expect(comments()).toEqual([[': heartbeat'], [': heartbeat']]);
  following.hangUp();
});
