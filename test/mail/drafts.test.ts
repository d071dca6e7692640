/** Mails that a model writes to others: the kernel asks for consent, wherever its owner is, and what was shown is what goes out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedMail } from 'mailparser';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import type { Upstream } from '../upstream/server.ts';
import { arrived, replies, sends, startMailKernel, wordFor } from './people.ts';
import { BOB, KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

const DRAFT = { to: BOB, subject: 'Dinner', text: 'At *eight*?' };
const WAIT = { timeout: 60_000, interval: 50 };

/** A mail whose turn drafts one; resolves with the mail that asks. */
async function drafted(servers: MailServers, upstream: Upstream) {
  upstream.next(calls('c1', 'mail_draft', DRAFT), says('As you say.'));
  await sends(servers, { subject: 'ask Bob', text: 'Ask Bob for dinner.' });
  const [asked] = await arrived(servers, OWNER, 1);
  return asked!;
}

const told = ({ requests }: Upstream) => JSON.stringify(requests.at(-1)?.body.messages);

/** What the master has read in the end. */
const textsOf = (mails: ParsedMail[]) => mails.map(({ text }) => text?.trim());

describe.skipIf(missingServers())('[MOD-10] a draft of the model', () => {
  test('is asked about by the kernel, with all of it, and sent with the word of the master', async () => {
    const servers = await startServers();
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

    await replies(servers, asked, wordFor(asked, 'Allow this once'));
    expect(await arrived(servers, BOB, 1)).toMatchObject([{ subject: 'Dinner', text: 'At *eight*?' }]);
    expect(textsOf(await arrived(servers, OWNER, 3))).toEqual(
      expect.arrayContaining(['Your decision was taken.', 'As you say.']),
    );
    expect(told(upstream)).toContain(`the mail to ${BOB} is on its way`);
    // What was sent is among what was sent, and no draft any more.
    await expect.poll(() => servers.folder(KERNEL, 'Drafts').length, WAIT).toBe(0);
  });

  test('is not sent where the master says no, which the model hears', async () => {
    const servers = await startServers();
    const { upstream } = await startMailKernel(servers, undefined);
    const asked = await drafted(servers, upstream);
    await replies(servers, asked, wordFor(asked, 'Deny'));
    await arrived(servers, OWNER, 3);
    expect(told(upstream)).toContain(
      'The user declined this operation. The mail was not sent, and stays among the drafts.',
    );
    expect(servers.folder(KERNEL, 'Drafts')).toHaveLength(1);
    expect(servers.inbox(BOB)).toHaveLength(0);
  });

  test('of another client’s chat is decided there or by mail, once', async () => {
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    const { client } = kernel;
    const chat = (await client.createChat({ consent: 'auto' })).id;
    upstream.next(calls('c1', 'mail_draft', DRAFT), says('Done.'));
    const turn = await client.begin(chat, { text: 'Write to Bob.' });
    const { id } = await turn.until('client_op');
    const [asked] = await arrived(servers, OWNER, 1);
    await client.answerRequest(chat, { id, decision: 'allow' });
    expect(eventsOf(await turn.all(), 'tool_result')).toMatchObject([{ is_error: false }]);
    await arrived(servers, BOB, 1);
    await replies(servers, asked, wordFor(asked, 'Deny'));
    expect(textsOf(await arrived(servers, OWNER, 2))).toContainEqual(
      expect.stringMatching(/^(?:This is decided, or over|Nothing was done)/),
    );
    expect(servers.inbox(BOB)).toHaveLength(1);
  });

  test('goes out as it was shown, though somebody has changed what lies among the drafts', async () => {
    const servers = await startServers();
    const { upstream } = await startMailKernel(servers, undefined);
    const asked = await drafted(servers, upstream);
    servers.change(KERNEL, 'Drafts', raw =>
      raw.toString().replaceAll('eight', 'noon').replaceAll(BOB, OWNER),
    );
    await replies(servers, asked, wordFor(asked, 'Allow this once'));
    expect(await arrived(servers, BOB, 1)).toMatchObject([{ text: 'At *eight*?' }]);
  });

  test('of a module that is killed while it waits is not sent, and nobody is asked about it any more', async () => {
    const servers = await startServers();
    const { kernel, upstream, killModule } = await startMailKernel(servers, undefined);
    const asked = await drafted(servers, upstream);
    killModule();
    await vi.waitFor(
      async () => expect((await kernel.api.get('/v1/requests')).body.requests).toEqual([]),
      WAIT,
    );
    await arrived(servers, OWNER, 2);
    await replies(servers, asked, wordFor(asked, 'Allow this once'));
    expect(textsOf(await arrived(servers, OWNER, 3))).toContainEqual(
      expect.stringMatching(/^(?:This is decided, or over|Nothing was done)/),
    );
    expect(servers.inbox(BOB)).toHaveLength(0);
  });

  test('brings files of the chat and of its machine, whose names and sizes are shown', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    writeFileSync(join(workdir, 'menu.txt'), 'soup\n');
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    const { client } = kernel;
    const bytes = Buffer.from('%PDF-1.4 map');
    const { id } = await client.uploadFile({ name: 'the map.pdf', media_type: 'application/pdf', bytes });
    const chat = (await client.createChat({ workdir, workdir_on: 'server' })).id;
    upstream.next(calls('c1', 'mail_draft', { ...DRAFT, attach: [id, 'menu.txt'] }), says('Done.'));
    const turn = await client.begin(chat, { text: 'Send Bob the map.', files: [{ id }] });
    const asked = await turn.until('client_op');
    expect(asked).toMatchObject({ attach: 'the map.pdf (12 B)\nmenu.txt (5 B)' });
    // What is sent is what was there when it was shown.
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
  });

  test('with a file that is not there, is too large, or is not for the one who speaks, is none', async () => {
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    writeFileSync(join(workdir, 'large.bin'), Buffer.alloc(50_001));
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined, {
      module: { max_mail_bytes: 100_000 },
    });
    const { client, api } = kernel;
    const { id } = await client.resolvePerson({ surface: 'mail', external_id: BOB });
    await api.patch(`/v1/persons/${id}`, { trusted: true });
    const chat = (await client.createChat({ workdir, workdir_on: 'server' })).id;
    const outputOf = async (attach: string, more: object = {}) => {
      upstream.next(calls('c1', 'mail_draft', { ...DRAFT, attach: [attach] }), says('Done.'));
      const events = await (await client.begin(chat, { text: 'Send it.', ...more })).all();
      expect(eventsOf(events, 'client_op')).toEqual([]);
      const [result] = eventsOf(events, 'tool_result');
      expect(result!.is_error).toBe(true);
      return result!.output;
    };
    expect(await outputOf('large.bin')).toBe(
      `${join(workdir, 'large.bin')} (50.0 KB) is too large to be attached.`,
    );
    expect(await outputOf('none.txt')).toMatch(/^none\.txt cannot be attached: /);
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await outputOf(nobody)).toMatch(new RegExp(`^${nobody} cannot be attached: `));
    expect(await outputOf('large.bin', { person_id: id })).toBe('large.bin is not the id of a file.');
    expect(servers.folder(KERNEL, 'Drafts')).toHaveLength(0);
  });
});
