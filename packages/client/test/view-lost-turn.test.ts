/** A turn that ended while its view could not listen is over for the view too. */
import { expect, it, onTestFinished } from 'vitest';
import { startKernel } from '../../../test/harness/kernel.ts';
import { held, says } from '../../../test/harness/story.ts';
import { ChatView, KernelClient } from '../src/index.ts';
import { startCutter } from './cutter.ts';

it('[TURN-11] what was started just before the line broke is found in the history', async () => {
  const kernel = await startKernel();
  onTestFinished(kernel.stop);
  const wire = await startCutter(kernel.url);
  onTestFinished(wire.close);
  const chat = await kernel.api.newChat({ title: 'Lost' });
  const view = new ChatView(new KernelClient({ url: wire.url }), chat.id, { retryMs: 5 });
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
  const { items } = await view.until(({ busy, items }) => !busy && items.length === 2);
  expect(items).toEqual(await kernel.api.items(chat.id));
});
