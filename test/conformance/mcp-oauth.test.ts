/** The owner signs in to hosted tool servers, and the tokens are kept, renewed and shown to nobody else. */
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

test('[MCP-5] the owner signs in, a restart keeps it, and no token shows anywhere', async () => {
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
  // What the settings send to the tool server is for no other.
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

test('[MCP-5] tokens that are over are renewed unasked, and a refused one is, too', async () => {
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

test('[MCP-5] a sign-in that the other side has ended is asked for anew', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  await signIn(kernel);
  hosted.revoke();
  expect(await call(kernel)).toMatchObject({
    is_error: true,
    output:
      'The call was not made: the server refuses it, for it wants you to sign in: chat-kernel mcp login desk.',
  });
  await becomes(kernel, { status: 'down', sign_in: 'needed' });
  await signIn(kernel);
  expect(await call(kernel)).toMatchObject(ECHOED);
});

test('[MCP-5] a server that registers nobody takes the client of the settings, at its own issuer alone', async () => {
  const client = { client_id: 'kernel-1', client_secret: 'hush-hush-hush' };
  const hosted = await startHosted({ client });
  const refusal = async (entry: object) => {
    const { status, body } = await (await wanting(hosted, entry)).api.post('/v1/guests/desk/sign-in');
    return [status, (body as Problem).code, (body as Problem).detail];
  };
  expect(await refusal({})).toEqual([
    502,
    'sign_in_failed',
    'desk: the authorization server registers nobody by itself; get a client id there, and name it in mcp.servers.desk.oauth.client_id.',
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

test('[MCP-5] a token of the settings stays what a guest gets, and there is nothing to sign in to', async () => {
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

test('[MCP-5] on the command line, too: the page is printed, and the end is waited for', async () => {
  const hosted = await startHosted();
  const kernel = await wanting(hosted);
  const home = directoryOfTest();
  const mcp = (...words: string[]) => runCommand(['mcp', ...words, '--url', kernel.url], home);
  expect(await mcp('list')).toMatchObject({
    out: 'desk: down, it wants you to sign in: chat-kernel mcp login desk\n',
    code: 0,
  });
  const login = mcp('login', 'desk');
  await becomes(kernel, { sign_in: 'waiting' });
  // The page that was printed is only read once the command has ended, so this one is begun anew: the last one counts.
  expect(await end(await back(await begin(kernel)))).toMatchObject({ status: 200 });
  const { out, code } = await login;
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^Open this page in a browser, and sign in there:\n\n {2}http\S+\n\nSigned in to desk\.\n$/,
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
    err: 'chat-kernel: There is no tool server nobody in mcp.servers.\n',
  });
});
