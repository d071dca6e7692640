/** What the master decides by mail: a word counts once, from a proved address, while its request is open. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { calls, says } from '../harness/story.ts';
import { arrived, replies, sends, startMailKernel, wordFor } from './people.ts';
import { type MailServers, missingServers, OWNER, startServers } from './servers.ts';

/** What the mails say that the master has got, once there are so many. */
const texts = async (servers: MailServers, count: number) =>
  (await arrived(servers, OWNER, count)).map(({ text }) => text?.trim());

describe.skipIf(missingServers())('[MOD-10] decisions by mail', () => {
  test('a command waits for the word of the master, which counts once', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    const servers = await startServers();
    const { upstream } = await startMailKernel(servers, undefined, { module: { workdir } });
    const command = `touch ${workdir}/made`;
    upstream.next(calls('c1', 'shell', { commands: [command] }), says('It is made.'));
    await sends(servers, { subject: 'make it', text: 'Make the file.' });
    const [asked] = await arrived(servers, OWNER, 1);
    expect(asked).toMatchObject({ subject: 'Allow shell?' });
    expect(asked?.text).toContain(`    ${command}\n`);
    const yes = wordFor(asked, 'Allow this once');

    // Neither a forged mail nor a wrong word does anything.
    await replies(servers, asked, yes, null);
    await replies(servers, asked, 'ABCDE-FGHJK');
    expect(await texts(servers, 2)).toContain(
      'That word is none of those that were offered. Nothing was done.',
    );
    expect(existsSync(join(workdir, 'made'))).toBe(false);

    await replies(
      servers,
      asked,
      `${yes.toLowerCase()}\n\nOn 1 May 2026 the kernel wrote:\n${asked?.text?.replace(/^/gm, '> ')}`,
    );
    expect(await texts(servers, 4)).toEqual(
      expect.arrayContaining(['It is made.', 'Your decision was taken.']),
    );
    expect(existsSync(join(workdir, 'made'))).toBe(true);
    await replies(servers, asked, yes);
    expect(await texts(servers, 5)).toContain(
      'This is decided, or over: each word counts once. Nothing was done.',
    );
  });

  test('a question of the model is answered by a word', async () => {
    const servers = await startServers();
    const { upstream } = await startMailKernel(servers, undefined);
    const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }];
    upstream.next(calls('c1', 'ask_questions', { questions }), says('Painted.'));
    await sends(servers, { subject: 'paint', text: 'Paint it.' });
    const [asked] = await arrived(servers, OWNER, 1);
    expect(asked?.text).toContain('Which colour?');
    await replies(servers, asked, wordFor(asked, 'Blue'));
    await arrived(servers, OWNER, 3);
    expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain('Blue');
  });
});
