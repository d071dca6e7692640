/** Tests many viewers, some of them slow: they never delay each other or the turn. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { textOf } from '../harness/story.ts';

const kernel = sharedKernel();

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

test('[EV-1] [EV-12] a viewer that reads nothing slows down neither the turn nor other viewers, and gets everything later', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  // More than the buffers of sockets hold.
  const piece = 'All work and no play makes Jack a dull boy. '.repeat(1500);
  const gate = Promise.withResolvers<void>();
  upstream.next({ steps: [{ wait: gate.promise }, { text: Array(128).fill(piece) }] });
  const starter = await api.turn(chat.id, { text: 'Write.' });
  const slow = await api.live(chat.id);
  const quick = await api.live(chat.id);
  slow.pause();
  gate.resolve();
  const whole = digest(piece.repeat(128));
  expect(digest(textOf(await quick.all()))).toBe(whole);
  expect(digest(textOf(await starter.all()))).toBe(whole);
  expect(slow.events.some(event => event.type === 'done')).toBe(false);
  expect((await api.get(`/v1/chats/${chat.id}/turns/${starter.turnId}`)).body.status).toBe('completed');
  slow.resume();
  expect(digest(textOf(await slow.all()))).toBe(whole);
  expect(slow.ids).toEqual(starter.ids);
});
