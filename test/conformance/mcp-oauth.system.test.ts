/** Tests sign-ins to hosted tool servers over a restart of the kernel, and on the command line. */
import type { Guest } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startHosted, TOKEN_MARK } from '../harness/hosted.ts';
import { toolEntry } from '../harness/modules.ts';
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
