/** Tests mails as chats, with a real mailbox, a real mail server, real signatures and a real kernel. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { PNG } from '../harness/pictures.ts';
import { calls, says } from '../harness/story.ts';
import { arrived, replies, rowsOf, sends, startMailKernel, wordFor } from './people.ts';
import { KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

describe.skipIf(missingServers())('[MOD-10] mail', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());
  beforeEach(() => servers.empty());

  test('creates a chat for a mail, answers in the same thread, and continues the chat on a reply', async () => {
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
    const texts = (await arrived(servers, OWNER, 2)).map(({ subject, text }) => [subject, text?.trim()]);
    expect(texts).toEqual([
      ['Re: Which train?', 'Take **the 7:14**.'],
      ['Re: Which train?', 'ok'],
    ]);
    const { chats } = (await kernel.api.get('/v1/chats?shelf=mail')).body;
    expect(chats).toMatchObject([{ title: 'Which train?', shelf: 'mail' }]);
    const items = await kernel.api.items(chats[0].id);
    expect(items.filter(item => item.kind === 'user_message')).toMatchObject([
      { text: 'Which train do I take?' },
      { text: 'And back?' },
    ]);
    // A sent mail is in the folder of sent mails, not in the inbox. For a moment of its move it is in both.
    const places = () => [servers.folder(KERNEL, 'Sent').length, servers.inbox(KERNEL).length];
    await expect.poll(places, { timeout: 30_000 }).toEqual([2, 2]);
    const inbox = (await arrived(servers, KERNEL, 2)).map(({ subject, from }) => [subject, from?.text]);
    const owner = `"The Owner" <${OWNER}>`;
    expect(inbox).toEqual([
      ['Which train?', owner],
      ['Re: Which train?', owner],
    ]);
  });

  test('stores attachments as files of the chat', async () => {
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

  test('[CONSENT-14] attaches images that the turn created, and files of its directory only after the owner approves', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    writeFileSync(join(workdir, 'chart.csv'), 'a,b\n');
    writeFileSync(join(workdir, 'all.bin'), Buffer.alloc(50_001));
    const { kernel, upstream } = await startMailKernel(servers, undefined, {
      module: { workdir, max_mail_bytes: 100_000 },
    });
    const words =
      'See [the chart](chart.csv), [all](all.bin), [none](none.txt), [secrets](/etc/passwd) and [it](https://a.test/x).';
    upstream.next(
      calls('c1', 'write_file', { path: 'report.md', content: '# Report' }),
      calls('c2', 'mail_attach', { files: ['all.bin'] }),
      calls('c3', 'mail_attach', { files: ['report.md', 'chart.csv'] }),
      { steps: [{ text: words }, { image: { media_type: 'image/png', bytes: PNG } }] },
    );
    await sends(servers, { subject: 'report', text: 'Write the report.' });
    const [asked] = await arrived(servers, OWNER, 1);
    await replies(servers, asked, wordFor(asked, 'Allow once'));
    const offer = (await arrived(servers, OWNER, 3)).find(({ subject }) => subject === 'Allow mail_attach?');
    expect(offer?.text).toContain(`to:\n\n    ${OWNER}\n`);
    expect(offer?.text).toContain('report.md (8 B), from report.md\n    chart.csv (4 B), from chart.csv');
    // The attachment is sent as it was when it was shown.
    writeFileSync(join(workdir, 'chart.csv'), 'poison');
    await replies(servers, offer, wordFor(offer, 'Allow once'));
    const mails = await arrived(servers, OWNER, 5);
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
      ['chart.csv', 'text/csv', 'a,b\n'],
      [`image-${image!.image_id.slice(0, 8)}.png`, 'image/png', true],
    ]);
    expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain(
      'all.bin (50.0 KB) is too large to attach.',
    );
    expect(answer!.text).not.toContain('Not attached');
  });

  test('reads a mailbox again after its numbers change, and answers nothing twice', async () => {
    await sends(servers, { subject: 'older', text: 'From before the module was switched on.' });
    await expect.poll(() => servers.inbox(KERNEL).length).toBe(1);
    // The times of mails are whole seconds: one of the same second could be newer than the module.
    const second = Math.floor(Date.now() / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second);
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

  test('continues a thread in a new chat if its chat was deleted, and sends no answer above the hourly limit', async () => {
    const { kernel, dataDir } = await startMailKernel(servers, undefined, {
      module: { answers_per_hour: 1 },
    });
    const first = await sends(servers, { subject: 'one', text: 'Hi.' });
    await arrived(servers, OWNER, 1);
    const reply = (subject: string) =>
      sends(servers, { subject, text: 'Again.', inReplyTo: first, references: [first] });
    await reply('too much');
    const whys = () => rowsOf(dataDir, 'SELECT why FROM mail ORDER BY id').map(({ why }) => why);
    await expect
      .poll(whys, { timeout: 60_000 })
      .toEqual([null, 'its thread reached the limit of answers per hour']);
    const chats = async () => (await kernel.api.get('/v1/chats?shelf=mail')).body.chats;
    await kernel.api.delete(`/v1/chats/${(await chats())[0].id}`);
    // The answers of this hour belong to the deleted chat, but the module has not learned of the deletion.
    rowsOf(dataDir, 'UPDATE outgoing SET made_at = 0', { change: true });
    await reply('Re: one');
    await arrived(servers, OWNER, 2);
    expect(await chats()).toMatchObject([{ title: 'Re: one' }]);
  });

  test('answers a mail once that the kernel failed to accept, and continues with the next one', async () => {
    const { dataDir } = await startMailKernel(servers, undefined);
    const mend = failing(dataDir, "chats WHEN NEW.title = 'broken'");
    await sends(servers, { subject: 'broken', text: 'Hi.' });
    const [answer] = await arrived(servers, OWNER, 1);
    expect(answer?.subject).toBe('Re: broken');
    expect(answer?.text).toMatch(/^The response failed: Internal error: /);
    const states = () => rowsOf(dataDir, 'SELECT state FROM mail ORDER BY id').map(({ state }) => state);
    expect(states()).toEqual(['done']);
    mend();
    await replies(servers, answer, 'Again.');
    expect((await arrived(servers, OWNER, 2)).map(({ text }) => text)).toContain('ok');
    expect(states()).toEqual(['done', 'done']);
  });

  test('keeps a mail for hours if the kernel fails to look up its sender, and then reports it', async () => {
    const { dataDir, killModule } = await startMailKernel(servers, undefined);
    const whys = () => rowsOf(dataDir, 'SELECT why FROM mail ORDER BY id').map(({ why }) => why);
    const begun = () => rowsOf(dataDir, 'SELECT 1 FROM mail WHERE sender IS NOT NULL').length;
    const received = Date.now() - 7 * 3_600_000;
    const mend = failing(dataDir, 'persons');
    await sends(servers, { subject: 'one', text: 'Hi.', date: new Date(received) });
    await expect.poll(begun, { timeout: 60_000 }).toBe(1);
    rowsOf(dataDir, `UPDATE mail SET seen_at = ${received}`, { change: true });
    killModule();
    await expect.poll(whys, { timeout: 60_000 }).toEqual([expect.stringMatching(/^Internal error: /)]);
    await sends(servers, { subject: 'two', text: 'Hi.' });
    await expect.poll(begun, { timeout: 60_000 }).toBe(2);
    mend();
    killModule();
    expect(await arrived(servers, OWNER, 1)).toMatchObject([{ subject: 'Re: two' }]);
  });
});

/** Makes the kernel fail with `internal` whenever it inserts into a table. @returns a function that stops this */
function failing(dataDir: string, into: string): () => void {
  const database = new DatabaseSync(join(dataDir, 'chat-kernel.db'), { timeout: 5000 });
  const change = (sql: string) => database.exec(sql);
  change(`CREATE TRIGGER failing BEFORE INSERT ON ${into} BEGIN SELECT RAISE(ABORT, 'it fails'); END`);
  onTestFinished(() => database.close());
  return () => change('DROP TRIGGER failing');
}
