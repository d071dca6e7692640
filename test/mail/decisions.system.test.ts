/**
 * Tests decisions of the master by mail: a decision word counts once, from a verified address, while its request is
 * open.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { calls, says } from '../harness/story.ts';
import { arrived, replies, rowsOf, sends, startMailKernel, wordFor } from './people.ts';
import { KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

/** Returns the texts of the master's mails, once there are this many. */
const texts = async (servers: MailServers, count: number) =>
  (await arrived(servers, OWNER, count)).map(({ text }) => text?.trim());

describe.skipIf(missingServers())('[MOD-10] decisions by mail', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());
  beforeEach(() => servers.empty());

  test('a command waits for the decision of the master, which counts once', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    const { upstream } = await startMailKernel(servers, undefined, { module: { workdir } });
    const command = `touch ${workdir}/made`;
    upstream.next(calls('c1', 'shell', { commands: [command] }), says('It is made.'));
    await sends(servers, { subject: 'make it', text: 'Make the file.' });
    const [asked] = await arrived(servers, OWNER, 1);
    expect(asked).toMatchObject({ subject: 'Allow shell?' });
    expect(asked?.text).toContain(`    ${command}\n`);
    const yes = wordFor(asked, 'Allow once');

    // Neither a forged mail nor a wrong decision word has an effect.
    await replies(servers, asked, yes, null);
    await replies(servers, asked, 'ABCDE-FGHJK');
    expect(await texts(servers, 2)).toContain('This code does not belong to the request. Nothing was done.');
    expect(existsSync(join(workdir, 'made'))).toBe(false);

    await replies(
      servers,
      asked,
      `${yes.toLowerCase()}\n\nOn 1 May 2026 the kernel wrote:\n${asked?.text?.replace(/^/gm, '> ')}`,
    );
    expect(await texts(servers, 4)).toEqual(expect.arrayContaining(['It is made.', 'Decision recorded.']));
    expect(existsSync(join(workdir, 'made'))).toBe(true);
    await replies(servers, asked, yes);
    expect(await texts(servers, 5)).toContain('This request is already closed. Nothing was done.');
  });

  test('[CONSENT-13] counts an answer only if its signature covers what decides', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    const { kernel, upstream, dataDir } = await startMailKernel(servers, undefined, { module: { workdir } });
    upstream.next(calls('c1', 'shell', { commands: [`touch ${workdir}/made`] }), says('It is made.'));
    await sends(servers, { subject: 'make it', text: 'Make the file.' });
    const [asked] = await arrived(servers, OWNER, 1);
    const text = wordFor(asked, 'Allow once');
    const answer = { text, inReplyTo: asked!.messageId!, references: [asked!.messageId!] };
    const old = { date: new Date(Date.now() - 4 * 86_400_000) };
    await sends(servers, { subject: 'no subject signed', ...answer }, { unsigned: 'subject' });
    await sends(servers, { subject: 'old', ...answer, ...old });
    await sends(servers, {
      subject: 'to others',
      ...answer,
      to: OWNER,
      envelope: { from: OWNER, to: KERNEL },
    });
    await sends(servers, { subject: 'recipients not signed', ...answer }, { unsigned: 'to' });
    const open = async () => (await kernel.api.get('/v1/requests')).body.requests;
    await vi.waitFor(async () => expect(await open()).toHaveLength(2), { timeout: 60_000, interval: 50 });
    const whys = () => rowsOf(dataDir, "SELECT why FROM mail WHERE state = 'ignored' ORDER BY id");
    await vi.waitFor(() => expect(whys()).toHaveLength(3), { timeout: 60_000, interval: 50 });
    expect(whys().map(({ why }) => why)).toEqual([
      'its signature does not cover subject',
      expect.stringContaining('its date is more than 3 days old'),
      `it is not addressed to ${KERNEL}`,
    ]);
    expect(existsSync(join(workdir, 'made'))).toBe(false);

    // Without a signed reference, the code says which request is meant.
    await sends(servers, { subject: 'Re: make it', ...answer }, { unsigned: 'in-reply-to:references' });
    expect(await texts(servers, 3)).toEqual(expect.arrayContaining(['It is made.', 'Decision recorded.']));
    expect(existsSync(join(workdir, 'made'))).toBe(true);
  });

  test('accepts the answer to a question of the model by mail', async () => {
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
