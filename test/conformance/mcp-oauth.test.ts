/** Tests that the user can sign in to hosted tool servers, and that only the kernel and that server see the tokens. */
import type { Problem } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { startHosted } from '../harness/hosted.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import {
  back,
  becomes,
  begin,
  call,
  ECHOED,
  end,
  settingsWith,
  signIn,
  wanting,
} from '../harness/signing-in.ts';

test('[MCP-5] renews expired and rejected tokens automatically', async () => {
  const hosted = await startHosted({ expires_in: 1 });
  const kernel = await wanting(hosted);
  await signIn(kernel);
  const { refresh } = hosted.given;
  expect(await call(kernel)).toMatchObject(ECHOED);
  expect(hosted.given.refresh).toBeGreaterThan(refresh);
  expect(hosted.reused).toBe(0);

  const lasting = await startHosted();
  const other = await wanting(lasting);
  await signIn(other);
  lasting.expire();
  expect(await call(other)).toMatchObject(ECHOED);
  expect(lasting.given).toEqual({ code: 1, refresh: 1 });
});

test('[MCP-5] asks for a new sign-in after the server ended the old one', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  await signIn(kernel);
  hosted.revoke();
  expect(await call(kernel)).toMatchObject({
    is_error: true,
    output:
      'The call was not made. The server rejected it: sign-in required: run chat-kernel mcp login desk.',
  });
  await becomes(kernel, { status: 'down', sign_in: 'needed' });
  await signIn(kernel);
  expect(await call(kernel)).toMatchObject(ECHOED);
});

test('[MCP-5] a token that is refused when tools are listed needs a new sign-in', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  hosted.refusesLists = true;
  await end(await back(await begin(kernel)));
  const problem = 'sign-in required: run chat-kernel mcp login desk';
  await becomes(kernel, { status: 'down', sign_in: 'needed', problem });
  // Only a token that was issued is refused.
  expect(hosted.given.code).toBe(1);
  hosted.refusesLists = false;
  await signIn(kernel);
  expect(await call(kernel)).toMatchObject(ECHOED);
});

test('[MCP-5] a server that moves to another authorization server gets a new registration there', async () => {
  const [hosted, other] = [await startHosted(), await startHosted()];
  const kernel = await wanting(hosted);
  await signIn(kernel);
  const clientOf = (page: URL) => page.searchParams.get('client_id') as string;
  const [first] = hosted.asked.filter(({ path }) => path.startsWith('/authorize'));
  const old = clientOf(new URL(first!.path, hosted.issuer));
  hosted.movedTo = other;
  expect(await call(kernel)).toMatchObject({ is_error: true });
  await becomes(kernel, { status: 'down', sign_in: 'needed' });
  const page = await begin(kernel);
  expect(page.origin).toBe(other.issuer);
  expect(clientOf(page)).not.toBe(old);
  expect(other.asked.filter(({ path }) => path === '/register')).toHaveLength(1);
  await end(await back(page));
  await becomes(kernel, { status: 'up', sign_in: 'done' });
  expect(await call(kernel)).toMatchObject(ECHOED);
  expect(JSON.stringify(other.asked)).not.toContain(old);
});

test('[MCP-5] uses the client of the settings for a server without registration, only at its own issuer', async () => {
  const client = { client_id: 'kernel-1', client_secret: 'hush-hush-hush' };
  const hosted = await startHosted({ client });
  const refusal = async (entry: object) => {
    const { status, body } = await (await wanting(hosted, entry)).api.post('/v1/guests/desk/sign-in');
    return [status, (body as Problem).code, (body as Problem).detail];
  };
  expect(await refusal({})).toEqual([
    502,
    'sign_in_failed',
    'desk: the authorization server does not support registration; get a client id there and set mcp.servers.desk.oauth.client_id.',
  ]);
  expect(await refusal({ oauth: { ...client, issuer: 'https://other.example' } })).toEqual([
    502,
    'sign_in_failed',
    'desk: its authorization server is not mcp.servers.desk.oauth.issuer.',
  ]);
  const kernel = await wanting(hosted, { oauth: { ...client, issuer: hosted.issuer } });
  await signIn(kernel);
  expect(await call(kernel)).toMatchObject(ECHOED);
  hosted.expire();
  expect(await call(kernel)).toMatchObject(ECHOED);
  expect(JSON.stringify((await kernel.api.get('/v1/config')).body)).not.toContain(client.client_secret);
});

test('[MCP-5] sends a token of the settings to a server, and offers no sign-in', async () => {
  const hosted = await startHosted();
  const kernel = await kernelOf({
    settings: settingsWith(hosted, { headers: { Authorization: 'Bearer own' } }),
  });
  await becomes(kernel, { status: 'down', sign_in: 'none' });
  const refused = await kernel.api.post('/v1/guests/desk/sign-in');
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_value']);
  expect((await kernel.api.post('/v1/guests/nobody/sign-in')).status).toBe(404);
  expect((await kernel.api.post('/v1/guests/nobody/sign-out')).status).toBe(404);
  expect(hosted.asked).toEqual([]);
});
