/** Mails as chats, with a real mailbox, a real mail server, real signatures and a real kernel between them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { PNG } from '../harness/pictures.ts';
import { calls, says } from '../harness/story.ts';
import { arrived, replies, rowsOf, sends, startMailKernel, wordFor } from './people.ts';
import { KERNEL, missingServers, OWNER, startServers } from './servers.ts';

describe.skipIf(missingServers())('[MOD-10] mail', () => {
  test('a mail is a chat, its answer a mail in the same thread, and a reply goes on in that chat', async () => {
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    upstream.next(says('Take **the 7:14**.'));
    const first = await sends(servers, { subject: 'Which train?', text: 'Which train do I take?' });
    const [answer] = await arrived(servers, OWNER, 1);
    expect(answer).toMatchObject({
      subject: 'Re: Which train?',
      inReplyTo: first,
      text: 'Take **the 7:14**.',
    });
    expect(answer?.html).toContain('<p>Take <b>the 7:14</b>.</p>');
    expect(answer?.headers.get('auto-submitted')).toBe('auto-replied');

    await sends(servers, {
      subject: 'Re: Which train?',
      text: `And back?\n\nOn 1 May 2026 Chat Kernel wrote:\n> Take the 7:14.\n`,
      inReplyTo: answer!.messageId!,
      references: `${first} ${answer!.messageId}`,
    });
    expect(await arrived(servers, OWNER, 2)).toHaveLength(2);
    const { chats } = (await kernel.api.get('/v1/chats?shelf=mail')).body;
    expect(chats).toMatchObject([{ title: 'Which train?', shelf: 'mail' }]);
    const items = await kernel.api.items(chats[0].id);
    expect(items.filter(item => item.kind === 'user_message')).toMatchObject([
      { text: 'Which train do I take?' },
      { text: 'And back?' },
    ]);
    // What was sent lies among what was sent, and not in the inbox.
    await expect.poll(() => servers.folder(KERNEL, 'Sent').length, { timeout: 30_000 }).toBe(2);
    expect(servers.inbox(KERNEL)).toHaveLength(2);
  });

  test('attachments are files of the chat', async () => {
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    await sends(servers, {
      subject: 'a list',
      text: 'Read it.',
      attachments: [{ filename: 'list.txt', content: 'milk\n', contentType: 'text/plain' }],
    });
    await arrived(servers, OWNER, 1);
    const [chat] = (await kernel.api.get('/v1/chats?shelf=mail')).body.chats;
    const [message] = await kernel.api.items(chat.id);
    expect(message).toMatchObject({
      text: 'Read it.',
      attachments: [{ kind: 'file', name: 'list.txt', media_type: 'text/plain', size: 5 }],
    });
    expect(JSON.stringify(upstream.requests[0]?.body.messages)).toContain('list.txt');
  });

  test('what the turn has made, and what its answer links to, comes with the answer, as far as there is room', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    writeFileSync(join(workdir, 'chart.csv'), 'a,b\n');
    writeFileSync(join(workdir, 'all.bin'), Buffer.alloc(50_001));
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined, {
      module: { workdir, max_mail_bytes: 100_000 },
    });
    const words =
      'See [the chart](chart.csv), [all](all.bin), [none](none.txt), [secrets](/etc/passwd) and [it](https://a.test/x).';
    upstream.next(calls('c1', 'write_file', { path: 'report.md', content: '# Report' }), {
      steps: [{ text: words }, { image: { media_type: 'image/png', bytes: PNG } }],
    });
    await sends(servers, { subject: 'report', text: 'Write the report.' });
    const [asked] = await arrived(servers, OWNER, 1);
    await replies(servers, asked, wordFor(asked, 'Allow this once'));
    const mails = await arrived(servers, OWNER, 3);
    const answer = mails.find(({ text }) => text?.startsWith('See'));
    const attached = answer!.attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      content.equals(PNG) || content.toString(),
    ]);
    const [{ id }] = (await kernel.api.get('/v1/chats?shelf=mail')).body.chats;
    const image = (await kernel.api.items(id)).find(item => item.kind === 'image');
    expect(attached).toEqual([
      ['report.md', 'text/markdown', '# Report'],
      [`image-${image!.image_id.slice(0, 8)}.png`, 'image/png', true],
      ['chart.csv', 'text/csv', 'a,b\n'],
    ]);
    expect(answer!.text).toContain(`Not attached:\n\n    ${join(workdir, 'all.bin')} (50.0 KB) is too large`);
    expect(answer!.text).not.toMatch(/none\.txt is|passwd is/);
  });

  test('a mailbox that numbers anew is read again, and nothing in it is answered twice', async () => {
    const servers = await startServers();
    await sends(servers, { subject: 'older', text: 'From before the module was switched on.' });
    await expect.poll(() => servers.inbox(KERNEL).length).toBe(1);
    const { upstream, dataDir } = await startMailKernel(servers, undefined);
    const numbers = () => rowsOf(dataDir, 'SELECT uidvalidity FROM mailbox');
    const before = numbers();
    for (const subject of ['one', 'two']) await sends(servers, { subject, text: 'Hi.' });
    await arrived(servers, OWNER, 2);
    await servers.renumber(KERNEL);
    await sends(servers, { subject: 'three', text: 'Hi.' });
    const subjects = (await arrived(servers, OWNER, 3)).map(({ subject }) => subject).sort();
    expect(subjects).toEqual(['Re: one', 'Re: three', 'Re: two']);
    expect(upstream.requests).toHaveLength(3);
    expect(numbers()).not.toEqual(before);
  });

  test('a thread whose chat was deleted goes on in another, and one that has had its answers of the hour gets none', async () => {
    const servers = await startServers();
    const { kernel, dataDir } = await startMailKernel(servers, undefined, {
      module: { answers_per_hour: 1 },
    });
    const first = await sends(servers, { subject: 'one', text: 'Hi.' });
    await arrived(servers, OWNER, 1);
    const reply = (subject: string) =>
      sends(servers, { subject, text: 'Again.', inReplyTo: first, references: [first] });
    await reply('too much');
    const whys = () => rowsOf(dataDir, 'SELECT why FROM mail ORDER BY id').map(({ why }) => why);
    await expect.poll(whys, { timeout: 60_000 }).toEqual([null, 'its thread had too many answers']);
    const chats = async () => (await kernel.api.get('/v1/chats?shelf=mail')).body.chats;
    await kernel.api.delete(`/v1/chats/${(await chats())[0].id}`);
    // The answers of the hour were those of the chat that is gone, but nobody has told the module that it is.
    rowsOf(dataDir, 'UPDATE outgoing SET made_at = 0', { change: true });
    await reply('Re: one');
    await arrived(servers, OWNER, 2);
    expect(await chats()).toMatchObject([{ title: 'Re: one' }]);
  });
});
