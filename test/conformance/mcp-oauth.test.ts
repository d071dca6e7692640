/** Tests that the user can sign in to hosted tool servers, and that only the kernel and that server see the tokens. */
import type { Guest, Problem } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startHosted, TOKEN_MARK } from '../harness/hosted.ts';
import { kernelOf, toolEntry } from '../harness/modules.ts';
import { startKernelProcess } from '../harness/process.ts';
import {
  back,
  becomes,
  begin,
  CALLBACK,
  call,
  ECHOED,
  end,
  settingsWith,
  signIn,
  wanting,
} from '../harness/signing-in.ts';

test('[MCP-5] keeps a sign-in over a restart, and shows no token anywhere', async () => {
  const hosted = await startHosted();
  const options = {
    dataDir: directoryOfTest(),
    settings: { ...settingsWith(hosted), log: { level: 'debug' as const } },
  };
  const first = await startKernelProcess(options);
  await becomes(first, { status: 'down', sign_in: 'needed' });
  expect(await toolEntry(first.api, 'mcp_desk_echo')).toBeUndefined();
  const page = await begin(first);
  expect(page.origin).toBe(hosted.issuer);
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: hosted.url,
    redirect_uri: `${first.url}${CALLBACK}`,
    state: expect.stringMatching(/^desk\.[\w-]{43}$/),
  });
  await becomes(first, { sign_in: 'waiting' });
  const address = await back(page);
  const { status, headers, text } = await end(address);
  expect([status, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
    200,
    'no-referrer',
    'no-store',
  ]);
  expect(text).not.toContain(TOKEN_MARK);
  await becomes(first, { status: 'up', sign_in: 'done', problem: null });
  expect(await call(first)).toMatchObject(ECHOED);
  expect([...hosted.shown]).toEqual([expect.stringMatching(`^Bearer ${TOKEN_MARK}`)]);
  // Headers from the settings go only to the tool server.
  expect(hosted.asked.filter(({ headers: sent }) => 'x-harness' in sent)).toEqual([]);
  await first.kill();

  const second = await startKernelProcess(options);
  await becomes(second, { status: 'up', sign_in: 'done' });
  expect(await call(second)).toMatchObject(ECHOED);
  expect(hosted.given).toEqual({ code: 1, refresh: 0 });
  hosted.repeats = true;
  expect(await call(second)).toMatchObject({
    is_error: true,
    output: expect.stringContaining('You said Bearer ***'),
  });
  for (const path of ['/v1/guests', '/v1/config', '/v1/tools', '/v1/stats', '/v1/chats']) {
    expect(JSON.stringify((await second.api.get(path)).body)).not.toContain(TOKEN_MARK);
  }
  expect(JSON.stringify(second.upstream.requests)).not.toContain(TOKEN_MARK);
  expect(first.log() + second.log()).not.toContain(TOKEN_MARK);

  const { status: out, body } = await second.api.post('/v1/guests/desk/sign-out');
  expect([out, (body as Guest).sign_in]).toEqual([200, 'needed']);
  await becomes(second, { status: 'down', sign_in: 'needed' });
  expect(await call(second)).toMatchObject({ is_error: true, output: expect.stringContaining('is down') });
  await second.stop();
});

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

test('[MCP-5] signs in on the command line: prints the page, and waits for the end', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  const home = directoryOfTest();
  const mcp = (...words: string[]) => runCommand(['mcp', ...words, '--url', kernel.url], home);
  expect(await mcp('list')).toMatchObject({
    out: 'desk: down, sign-in required: run chat-kernel mcp login desk\n',
    code: 0,
  });
  const login = mcp('login', 'desk');
  await becomes(kernel, { sign_in: 'waiting' });
  // The output of the command can be read only after it has ended, so start this sign-in again: the last one counts.
  expect(await end(await back(await begin(kernel)))).toMatchObject({ status: 200 });
  const { out, code } = await login;
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^Open this page in a browser and sign in:\n\n {2}http\S+\n\nSigned in to desk\.\n$/,
    ),
  ]);
  expect(out).toContain(`  ${hosted.issuer}/authorize?`);
  await becomes(kernel, { status: 'up' });
  expect(await mcp('list')).toMatchObject({ out: 'desk: up\n' });
  expect(await mcp('logout', 'desk')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Signed out of desk/),
  });
  await becomes(kernel, { status: 'down', sign_in: 'needed' });
  expect(await mcp('login', 'nobody')).toMatchObject({
    code: 1,
    err: 'chat-kernel: There is no MCP server nobody in mcp.servers.\n',
  });
});
