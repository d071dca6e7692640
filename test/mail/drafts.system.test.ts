/**
 * Tests mails from a model to third parties: the kernel asks for consent on any client, and sends exactly what it
 * showed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedMail } from 'mailparser';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import type { Upstream } from '../upstream/server.ts';
import { arrived, replies, sends, startMailKernel, wordFor } from './people.ts';
import { BOB, KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

const DRAFT = { to: BOB, subject: 'Dinner', text: 'At *eight*?' };
const WAIT = { timeout: 60_000, interval: 50 };

/** Sends a mail whose turn drafts another one; resolves with the mail that asks for consent, after this many others. */
async function drafted(servers: MailServers, upstream: Upstream, others = 0) {
  upstream.next(calls('c1', 'mail_draft', DRAFT), says('As you say.'));
  await sends(servers, { subject: 'ask Bob', text: 'Ask Bob for dinner.' });
  return (await arrived(servers, OWNER, others + 1))[others]!;
}

const told = ({ requests }: Upstream) => JSON.stringify(requests.at(-1)?.body.messages);

/** The texts that the master finally reads. */
const textsOf = (mails: ParsedMail[]) => mails.map(({ text }) => text?.trim());

describe.skipIf(missingServers())('[MOD-10] a draft of the model', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());
  beforeEach(() => servers.empty());

  test('is shown completely by the kernel for approval, and sent as it was shown after the master approves, but not if the master denies it', async () => {
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    const asked = await drafted(servers, upstream);
    expect(asked.subject).toBe('Allow mail_draft?');
    for (const [field, text] of Object.entries(DRAFT))
      expect(asked.text).toContain(`${field}:\n\n    ${text}\n`);
    const [request] = (await kernel.api.get('/v1/requests')).body.requests;
    expect(request.event).toMatchObject({
      action: 'mail_draft',
      hands: null,
      decisions: ['allow', 'deny'],
      ...DRAFT,
    });
    expect(servers.folder(KERNEL, 'Drafts')).toHaveLength(1);
    expect(servers.inbox(BOB)).toHaveLength(0);

    servers.change(KERNEL, 'Drafts', raw =>
      raw.toString().replaceAll('eight', 'noon').replaceAll(BOB, OWNER),
    );
    await replies(servers, asked, wordFor(asked, 'Allow once'));
    expect(await arrived(servers, BOB, 1)).toMatchObject([{ subject: 'Dinner', text: 'At *eight*?' }]);
    expect(textsOf(await arrived(servers, OWNER, 3))).toEqual(
      expect.arrayContaining(['Decision recorded.', 'As you say.']),
    );
    expect(told(upstream)).toContain(`The owner approved the email to ${BOB}`);
    // A sent mail is in the folder of sent mails, and no longer a draft.
    await expect.poll(() => servers.folder(KERNEL, 'Drafts').length, WAIT).toBe(0);

    const again = await drafted(servers, upstream, 3);
    await replies(servers, again, wordFor(again, 'Deny'));
    await arrived(servers, OWNER, 6);
    expect(told(upstream)).toContain(
      'The user declined this operation. The email was not sent. It stays in the drafts folder.',
    );
    expect(servers.folder(KERNEL, 'Drafts')).toHaveLength(1);
    expect(servers.inbox(BOB)).toHaveLength(1);
  });

  test('in a chat of another client is decided there or by mail, once', async () => {
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    const { client } = kernel;
    const chat = (await client.createChat({ consent: 'auto' })).id;
    upstream.next(calls('c1', 'mail_draft', DRAFT), says('Done.'));
    const turn = await client.begin(chat, { text: 'Write to Bob.' });
    const { id } = await turn.until('consent_request');
    const [asked] = await arrived(servers, OWNER, 1);
    await client.answerRequest(chat, { id, decision: 'allow' });
    expect(eventsOf(await turn.all(), 'tool_result')).toMatchObject([{ is_error: false }]);
    await arrived(servers, BOB, 1);
    await replies(servers, asked, wordFor(asked, 'Deny'));
    expect(textsOf(await arrived(servers, OWNER, 2))).toContainEqual(
      expect.stringMatching(/^(?:This request is already closed|Nothing was done)/),
    );
    expect(servers.inbox(BOB)).toHaveLength(1);
  });

  test('is not sent if its module is killed during the wait, and its request is closed', async () => {
    const { kernel, upstream, killModule } = await startMailKernel(servers, undefined);
    const asked = await drafted(servers, upstream);
    killModule();
    await vi.waitFor(
      async () => expect((await kernel.api.get('/v1/requests')).body.requests).toEqual([]),
      WAIT,
    );
    await arrived(servers, OWNER, 2);
    await replies(servers, asked, wordFor(asked, 'Allow once'));
    expect(textsOf(await arrived(servers, OWNER, 3))).toContainEqual(
      expect.stringMatching(/^(?:This request is already closed|Nothing was done)/),
    );
    expect(servers.inbox(BOB)).toHaveLength(0);
  });

  test('attaches files of the chat and of its working directory, and shows their names, sizes and paths, unless one is missing, too large, or not accessible to the speaker', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    writeFileSync(join(workdir, 'menu.txt'), 'soup\n');
    writeFileSync(join(workdir, 'large.bin'), Buffer.alloc(50_001));
    const { kernel, upstream } = await startMailKernel(servers, undefined, {
      module: { max_mail_bytes: 100_000 },
    });
    const { client, api } = kernel;
    const bytes = Buffer.from('%PDF-1.4 map');
    const { id } = await client.uploadFile({ name: 'the map.pdf', media_type: 'application/pdf', bytes });
    const chat = (await client.createChat({ workdir, workdir_on: 'server' })).id;
    upstream.next(calls('c1', 'mail_draft', { ...DRAFT, attach: [id, 'menu.txt'] }), says('Done.'));
    const turn = await client.begin(chat, { text: 'Send Bob the map.', files: [{ id }] });
    const asked = await turn.until('consent_request');
    expect(asked).toMatchObject({
      attach: `the map.pdf (12 B), from ${id}\nmenu.txt (5 B), from menu.txt`,
    });
    // The attachment is sent as it was when it was shown.
    writeFileSync(join(workdir, 'menu.txt'), 'poison\n');
    await client.answerRequest(chat, { id: asked.id, decision: 'allow' });
    await turn.all();
    const [mail] = await arrived(servers, BOB, 1);
    const attached = mail!.attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      content.toString(),
    ]);
    expect(attached).toEqual([
      ['the map.pdf', 'application/pdf', '%PDF-1.4 map'],
      ['menu.txt', 'text/plain', 'soup\n'],
    ]);

    await expect.poll(() => servers.folder(KERNEL, 'Drafts').length, WAIT).toBe(0);
    const person = await client.resolvePerson({ surface: 'mail', external_id: BOB });
    await api.patch(`/v1/persons/${person.id}`, { trusted: true });
    const outputOf = async (attach: string, more: object = {}) => {
      upstream.next(calls('c1', 'mail_draft', { ...DRAFT, attach: [attach] }), says('Done.'));
      const events = await (await client.begin(chat, { text: 'Send it.', ...more })).all();
      expect(eventsOf(events, 'consent_request')).toEqual([]);
      const [result] = eventsOf(events, 'tool_result');
      expect(result!.is_error).toBe(true);
      return result!.output;
    };
    expect(await outputOf('large.bin')).toBe('large.bin (50.0 KB) is too large to attach.');
    expect(await outputOf('/etc/hosts')).toBe(
      '/etc/hosts cannot be attached: /etc/hosts is outside of the working directory of the chat.',
    );
    expect(await outputOf('none.txt')).toMatch(/^none\.txt cannot be attached: /);
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await outputOf(nobody)).toMatch(new RegExp(`^${nobody} cannot be attached: `));
    expect(await outputOf('large.bin', { person_id: person.id })).toBe('large.bin is not a file id.');
    expect(servers.folder(KERNEL, 'Drafts')).toHaveLength(0);
  });

  test('[CONSENT-4] to the owner is sent without a question, unless it has attachments', async () => {
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    const { client } = kernel;
    const chat = (await client.createChat({ consent: 'ask' })).id;
    const draft = { ...DRAFT, to: OWNER.toUpperCase() };
    upstream.next(calls('c1', 'mail_draft', draft), says('Done.'));
    const events = await (await client.begin(chat, { text: 'Mail me.', outside: ['web:example.org'] })).all();
    expect(eventsOf(events, 'consent_request')).toEqual([]);
    expect(await arrived(servers, OWNER, 1)).toMatchObject([{ subject: 'Dinner' }]);
    const { id } = await client.uploadFile({
      name: 'a.txt',
      media_type: 'text/plain',
      bytes: Buffer.from('a'),
    });
    upstream.next(calls('c2', 'mail_draft', { ...draft, attach: [id] }), says('Done.'));
    const turn = await client.begin(chat, { text: 'And the file.', files: [{ id }] });
    const asked = await turn.until('consent_request');
    await client.answerRequest(chat, { id: asked.id, decision: 'deny' });
    await turn.all();
  });
});
