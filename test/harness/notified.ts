/** A kernel that sends notifications, and what tests of them have in common. */
import { expect } from 'vitest';
import type { KernelOptions, TestKernel } from './kernel.ts';
import type { Browser, PushService } from './push-service.ts';
import { kernelOf } from './shared-kernel.ts';
import { held } from './story.ts';

/** A kernel that may reach this machine, until the end of the test. */
export async function start(options: KernelOptions = {}): Promise<TestKernel> {
  const kernel = await kernelOf({
    ...options,
    settings: { push: { allow_private: true }, ...options.settings },
  });
  return kernel;
}

export async function subscribed(
  { api }: Pick<TestKernel, 'api'>,
  service: PushService,
  more: object = {},
): Promise<Browser & { id: string }> {
  const browser = service.browser();
  const { status, body } = await api.put('/v1/push/subscriptions', { ...browser.subscription, ...more });
  expect(status).toBe(200);
  return { ...browser, id: body.id };
}

/** A turn without readers, up to its end. */
export async function unread({ api, upstream }: TestKernel, reply: string, title = 'Quiet'): Promise<string> {
  const chat = await api.newChat({ title });
  const slow = held({ text: reply });
  upstream.next(slow.reply);
  const events = await api.events();
  const stream = await api.turn(chat.id, { text: 'Go.' });
  stream.hangUp();
  await hungUp(api);
  slow.go();
  await events.until(event => event.type === 'turn_ended' && event.chat_id === chat.id);
  events.hangUp();
  return chat.id;
}

/** Waits until the kernel has noticed that no client reads a turn: only the stream of all chats is open. */
const hungUp = (api: TestKernel['api']) =>
  expect
    .poll(async () => String((await api.raw('/metrics', { method: 'GET' })).body))
    .toMatch(/^chat_kernel_streams_open 1$/m);

export const WAIT = { timeout: 8000, interval: 50 };
