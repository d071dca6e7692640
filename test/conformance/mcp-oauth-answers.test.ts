/** Tests how a sign-in ends: by a single response, in time, from the requested server only. */
import { expect, test } from 'vitest';
import { startHosted } from '../harness/hosted.ts';
import { back, becomes, begin, CALLBACK, end, wanting } from '../harness/signing-in.ts';

test('[MCP-5] accepts a response once, in time, with its own state, and from the server that was asked', async () => {
  const hosted = await startHosted();
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms).unref();
      return () => clearTimeout(timer);
    },
  };
  const kernel = await wanting(hosted, {}, { clock });
  const over = { status: 400, text: expect.stringContaining('Start it again') };
  expect(await end(`${kernel.url}${CALLBACK}`)).toMatchObject(over);
  expect(await end(`${kernel.url}${CALLBACK}?code=x&state=desk.guess`)).toMatchObject(over);
  expect(await end(`${kernel.url}${CALLBACK}?code=x&state=other.guess`)).toMatchObject(over);
  expect(await end(`${kernel.url}${CALLBACK}?state=a&state=b&code=${'x'.repeat(5000)}`)).toMatchObject(over);

  const earlier = await back(await begin(kernel));
  const wrong = await back(await begin(kernel));
  // The second sign-in has invalidated the first one.
  expect(await end(earlier)).toMatchObject(over);
  wrong.searchParams.set('iss', 'https://stranger.example');
  expect(await end(wrong)).toMatchObject({
    status: 400,
    text: expect.stringContaining('rejected the sign-in'),
  });
  wrong.searchParams.delete('iss');
  expect(await end(wrong)).toMatchObject(over);

  const late = await back(await begin(kernel));
  ahead += 601_000;
  await becomes(kernel, { sign_in: 'needed' });
  expect(await end(late)).toMatchObject(over);
  expect(hosted.given.code).toBe(0);

  const good = await back(await begin(kernel));
  expect((await end(good)).status).toBe(200);
  expect(await end(good)).toMatchObject(over);
  await becomes(kernel, { status: 'up', sign_in: 'done' });
  expect(hosted.given.code).toBe(1);
});

test('[MCP-5] does not sign in if the user declines', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  hosted.declines = true;
  expect(await end(await back(await begin(kernel)))).toMatchObject({
    status: 200,
    text: expect.stringContaining('You declined'),
  });
  await becomes(kernel, { status: 'down', sign_in: 'needed' });
});

test('[MCP-5] [AUTH-4] starts no sign-in for a foreign page, and returns behind a proxy to the public address', async () => {
  const hosted = await startHosted();
  const server = { public_url: 'https://chat.example/kernel/' };
  const kernel = await wanting(hosted, {}, { settings: { server } });
  const strange = await kernel.api.raw('/v1/guests/desk/sign-in', {
    method: 'POST',
    headers: { origin: 'https://stranger.example' },
  });
  expect(strange.status).toBe(403);
  await becomes(kernel, { sign_in: 'needed' });
  const page = await begin(kernel);
  expect(page.searchParams.get('redirect_uri')).toBe(`https://chat.example/kernel${CALLBACK}`);
});
