/** The parts that read and write mails, on mails as programs really write them. */
import type { PendingRequest } from '@chat-kernel/client';
import type { KernelClient } from '@chat-kernel/module-sdk';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../src/answer.ts';
import { askedOf } from '../src/asked.ts';
import { htmlOf } from '../src/html.ts';
import { incomingOf, keyOf } from '../src/incoming.ts';
import { withoutQuotes } from '../src/quotes.ts';
import { MASTER } from '../src/senders.ts';
import { MailSettings } from '../src/settings.ts';

describe('what is new in a reply', () => {
  test.each([
    ['Yes.\n\nOn 1 May 2026, Ann <a@b.test> wrote:\n> Shall we?\n> Really?\n', 'Yes.'],
    [
      'Yes.\n\nOn 1 May 2026 at 10:00, a person with a long name\nAnn <a@b.test> wrote:\n\n> Shall we?',
      'Yes.',
    ],
    ['Ja.\n\nAm 01.05.26 um 10:00 schrieb Ann:\n> Sollen wir?', 'Ja.'],
    ['Yes.\n-----Original Message-----\nFrom: Ann\n\nShall we?', 'Yes.'],
    ['> Shall we?\n\nYes.\n\n> And Bob?\n\nNo.', '> Shall we?\n\nYes.\n\n> And Bob?\n\nNo.'],
    ['> Nothing but a quote.', '> Nothing but a quote.'],
    ['I need:\n- milk', 'I need:\n- milk'],
  ])('%j', (text, expected) => expect(withoutQuotes(text)).toBe(expected));
});

describe('the key of a mail', () => {
  const mail = (head: string, body = 'Hi.') =>
    Buffer.from(`${head}\r\nMessage-ID: <1@a>\r\nFrom: a@b.test\r\n\r\n${body}\r\n`);
  test('does not depend on its way', () =>
    expect(keyOf(mail('Received: from one'))).toBe(keyOf(mail('Received: from\r\n another'))));
  test('depends on what was written, so that a Message-ID cannot be taken', () =>
    expect(keyOf(mail('Received: x', 'Ho.'))).not.toBe(keyOf(mail('Received: x'))));
});

test('a mail with two From headers has no sender', async () => {
  const raw = Buffer.from('From: owner@owner.test\r\nFrom: eve@evil.test\r\nSubject: x\r\n\r\nHi.\r\n');
  expect((await incomingOf(raw)).from).toBeNull();
});

test('HTML of a model is shown and not run, and no image is fetched', () => {
  const html = htmlOf(
    'Text <script>x</script> **b** [l](javascript:x) ![i](https://evil.test/i.png)\n\n- one\n- two',
  );
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('javascript:');
  expect(html).not.toContain('<img');
  expect(html).toContain('<b>b</b>');
  expect(html).toContain('<li>');
});

test('settings say what is wrong, and where', () => {
  const server = { host: 'mail.example.org', user: 'kernel', password: 'a word' };
  const good = { address: 'k@example.org', owner: ['me@example.org'], imap: server, smtp: server };
  const wrong = (change: object) => {
    const { error } = MailSettings.safeParse({ ...good, ...change });
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };
  expect(wrong({})).toBeUndefined();
  expect(wrong({ imap: { ...server, security: 'none' } })).toEqual([
    'imap.security: expected tls or starttls: without TLS only a server on this machine is talked to',
  ]);
  expect(wrong({ imap: { ...server, password: undefined } })).toEqual([
    'imap.password: expected either password or password_env',
  ]);
  expect(wrong({ smtp: { ...server, password: undefined, password_env: 'NO_SUCH_PASSWORD' } })).toEqual([
    "smtp.password_env: this variable is not set. A module that the kernel starts gets none of the kernel's variables: write password instead",
  ]);
  expect(wrong({ smtp: { ...server, password: undefined, password_env: 'PATH' } })).toBeUndefined();
  expect(wrong({ digest: { at: '7:30' } })).toEqual(['digest.at: expected a time such as 07:30']);
});

test('what an answer links to comes along, from anywhere in it but its code', async () => {
  const asked: string[] = [];
  const kernel = {
    getChat: async () => ({ workdir: '/srv/notes', workdir_on: 'server' }),
    readBytes: async ({ path }: { path: string }) => {
      asked.push(path);
      return { total: 1, data: 'eA==' };
    },
  } as unknown as KernelClient;
  const text =
    '[a](a.txt) ![b](<b c.png>)\n\n- [d](./d%20e)\n\n| x |\n|---|\n| [f](/srv/notes/f) |\n\n`[no](no)` [no](https://a.test/no) [no](../no) [no](#no) [no](mailto:no@a.test)';
  const sender = { who: MASTER, person_id: '' };
  const outcome = { status: 'completed', text, made: new Set(['a.txt', 'made.md']) } as const;
  const { attachments } = await answerOf(outcome, { kernel, chat_id: 'c', sender, room: 100 });
  expect(asked).toEqual([
    '/srv/notes/a.txt',
    '/srv/notes/made.md',
    '/srv/notes/b c.png',
    '/srv/notes/d e',
    '/srv/notes/f',
  ]);
  expect(attachments.map(({ name }) => name)).toEqual(['a.txt', 'made.md', 'b c.png', 'd e', 'f']);
  asked.length = 0;
  const stranger = { who: 'bob', person_id: '' };
  expect(await answerOf(outcome, { kernel, chat_id: 'c', sender: stranger, room: 100 })).toEqual({
    text,
    attachments: [],
  });
  expect(asked).toEqual([]);
});

test('questions of two chats that a provider has given the same id are two requests', () => {
  const of = (chat_id: string) =>
    askedOf({
      id: 'call_0',
      chat_id,
      question: 0,
      expires_at: '2030-01-01T00:00:00.000Z',
      event: {
        type: 'tool_call',
        input: { questions: [{ question: 'Which?', options: [{ label: 'Red' }] }] },
      },
    } as unknown as PendingRequest)?.id;
  expect(of('one')).toBe('one call_0 0');
  expect(of('two')).toBe('two call_0 0');
});
