/** Tests that undo data on a client's machine is deleted with the chat, as `chat-kernel hands` does it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startHands } from '../harness/hands-process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

const WAIT = { timeout: 60_000 };

test('[UNDO-1] [UNDO-3] removes undo data from a connected machine with its chat, or when the machine reconnects', async () => {
  const kernel = await kernelOf();
  const { client, upstream, url } = kernel;
  const [home, work] = [directoryOfTest(), directoryOfTest()];
  const undo = join(home, '.local/state/chat-kernel/undo');
  const kept = () => readdirSync(undo).sort();
  const laptop = async () => {
    const process = startHands(['--name', 'laptop', '--url', url, '--allow', work], home);
    onTestFinished(async () => {
      process.signal('SIGKILL');
      await process.ended;
    });
    await expect.poll(async () => (await client.listHands()).hands[0]?.here, WAIT).toBe(true);
    return process;
  };
  /** Creates a chat in which a file was written there. */
  const written = async (path: string) => {
    const { id } = await client.createChat({ workdir: work, workdir_on: 'client', hands: 'laptop' });
    upstream.next(calls(path, 'write_file', { path, content: 'x' }), says('Done.'));
    const stream = await client.begin(id, { text: 'Go.' });
    const operation = await stream.until('consent_request');
    await client.answerRequest(id, { id: operation.id, decision: 'allow' });
    await stream.all();
    expect(existsSync(join(work, path))).toBe(true);
    return { id, folder: `${id}.git` };
  };

  const first = await laptop();
  const [followed, missed, stays] = [await written('a'), await written('b'), await written('c')];
  expect(kept()).toEqual([followed, missed, stays].map(({ folder }) => folder).sort());
  await client.deleteChat(followed.id);
  await expect.poll(kept, WAIT).toEqual([missed, stays].map(({ folder }) => folder).sort());

  first.signal('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  await client.deleteChat(missed.id);
  expect(kept()).toContain(missed.folder);
  await laptop();
  await expect.poll(kept, WAIT).toEqual([stays.folder]);
});
