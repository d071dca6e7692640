/** Tests that a turn which ended while its view was disconnected ends in the view, too. */
import { expect, it, onTestFinished } from 'vitest';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { held, says } from '../../../test/harness/story.ts';
import { ChatView, KernelClient } from '../src/index.ts';
import { startCutter } from './cutter.ts';

it.each([
  ['only its first event received', []],
  ['no event received', ['turn']],
] as const)('[TURN-11] finds a turn in the history that started just before the connection dropped, with %s', async (_, mute) => {
  const kernel = await kernelOf();
  const wire = await startCutter(kernel.url);
  onTestFinished(wire.close);
  const chat = await kernel.api.newChat({ title: 'Lost' });
  const view = new ChatView(new KernelClient({ url: wire.url }), chat.id, { retryMs: 5, mute });
  onTestFinished(() => view.close());
  await view.until(({ loaded }) => loaded);
  const gate = held({ text: 'Unheard.' });
  kernel.upstream.next(gate.reply, says('next'));
  const { turn_id } = await view.send({ text: 'Go.' });
  expect(await view.until(({ busy }) => busy)).toMatchObject({ turn: { turn_id } });
  wire.refuse(true);
  wire.cut();
  gate.go();
  await expect.poll(async () => (await kernel.api.get(`/v1/chats/${chat.id}`)).body.turn).toBeNull();
  wire.refuse(false);
  await view.until(({ busy, items }) => !busy && items.length === 2);
  // Once the turn is over, the view replaces its content with the history.
  await expect.poll(() => view.getSnapshot().items).toEqual(await kernel.api.items(chat.id));
});
