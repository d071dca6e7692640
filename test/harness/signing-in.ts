/** Performs the steps of a user and a browser that sign in to the guest `desk` of a kernel. */
import type { Guest, SignIn } from '@chat-kernel/protocol';
import { expect } from 'vitest';
import type { Hosted } from './hosted.ts';
import type { KernelOptions, TestKernel } from './kernel.ts';
import { kernelOf } from './shared-kernel.ts';
import { calls, eventsOf, says } from './story.ts';

type Kernel = Pick<TestKernel, 'api' | 'client' | 'upstream' | 'url'>;
export const SECONDS_30 = { timeout: 30_000 };
export const CALLBACK = '/v1/guests/callback';

export const settingsWith = (hosted: Hosted, entry: object = {}) => ({
  mcp: { servers: { desk: { url: hosted.url, ...entry } } },
});
const guestOf = async ({ api }: Kernel): Promise<Guest> => (await api.get('/v1/guests')).body.guests[0];
export const becomes = (kernel: Kernel, guest: Partial<Guest>) =>
  expect.poll(() => guestOf(kernel), SECONDS_30).toMatchObject(guest);

export async function begin({ api }: Kernel): Promise<URL> {
  const { status, body } = await api.post('/v1/guests/desk/sign-in');
  expect(status).toBe(200);
  return new URL((body as SignIn).url);
}

/** Returns the address to which the authorization server redirects the browser. */
export async function back(page: URL): Promise<URL> {
  const answer = await fetch(page, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? `bad:${await answer.text()}`);
}

/** Opens the final page that the user sees. */
export async function end(address: URL | string) {
  const answer = await fetch(address);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

export async function signIn(kernel: Kernel) {
  const page = await end(await back(await begin(kernel)));
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<h1>Signed in</h1>') });
  await becomes(kernel, { status: 'up', sign_in: 'done' });
}

/** Makes the model call the tool of the guest, and returns the result. */
export async function call({ client, upstream }: Kernel) {
  const chat = await client.createChat();
  upstream.next(calls('c', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  const [result] = eventsOf(await client.say(chat.id, 'Go.'), 'tool_result');
  return result;
}
export const ECHOED = { is_error: false, output: '{"word":"hi"}' };

/** Starts a kernel whose guest requires a sign-in. */
export async function wanting(hosted: Hosted, entry: object = {}, options: KernelOptions = {}) {
  const settings = { ...options.settings, ...settingsWith(hosted, entry) };
  const kernel = await kernelOf({ ...options, settings });
  await becomes(kernel, {
    status: 'down',
    sign_in: 'needed',
    problem: 'sign-in required: run chat-kernel mcp login desk',
  });
  return kernel;
}
