/** Tests that commands on the machine of a client read its attached files. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient } from '../harness/hands.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

test('[FILE-4] [BT-1] lets the tools of the turn read the file there', async () => {
  const { api, client, upstream } = await kernelOf();
  const workdir = directoryOfTest();
  const { id } = await client.uploadFile({
    name: 'a.txt',
    media_type: 'application/octet-stream',
    bytes: Buffer.from('the content'),
  });
  const chat = await client.createChat({ workdir });
  const path = join(workdir, '.service/files', id, 'a.txt');
  upstream.next(
    calls('r', 'read_file', { files: [{ path }] }),
    calls('s', 'shell', { commands: [`cat '${path}'`] }),
    says('Read.'),
  );
  const events = await new HandsClient(api, { directory: workdir }).turn(chat.id, { files: [{ id }] });
  expect(eventsOf(events, 'tool_result').map(({ output }) => output)).toEqual([
    expect.stringContaining('the content'),
    expect.stringContaining('the content'),
  ]);
});
