/** Tests the functions that read and write mails, with mails of real programs. */
import type { PendingRequest } from '@chat-kernel/client';
import type { KernelClient } from '@chat-kernel/module-sdk';
import { describe, expect, test } from 'vitest';
import { buildAnswer } from '../src/answer.ts';
import { toMailRequest } from '../src/approval-mail.ts';
import { attachedFiles } from '../src/attach-tool.ts';
import { renderHtml } from '../src/html.ts';
import { mailKey, parseMail, readMessageId } from '../src/incoming.ts';
import { quotesOthers, withoutQuotes } from '../src/quotes.ts';
import { MASTER } from '../src/sender-identity.ts';
import { MailSettings } from '../src/settings.ts';

describe('the new text of a reply', () => {
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
    ...[
      '---------- Forwarded message ---------',
      '-------- Weitergeleitete Nachricht --------',
      '---------- Message transféré ---------',
      'Begin forwarded message:',
      'Anfang der weitergeleiteten Nachricht:',
    ].map(mark => {
      const text = `What must I do here?\n\n${mark}\nFrom: Ann\n\n> Old.\n\nPay.\n> Older.`;
      return [text, text] as [string, string];
    }),
  ])('%j', (text, expected) => expect(withoutQuotes(text)).toBe(expected));
});

test.each([
  ['Dinner', 'Shall we?', false],
  ['Re: Dinner', '> Shall we?\n\nYes.', true],
  ['Fwd: Bill', 'Please pay.', true],
  ['WG: Rechnung', 'Bitte zahlen.', true],
  ['Bill', 'Begin forwarded message:\n\nFrom: Eve', true],
  ['Bill', '---------- Forwarded message ---------\nFrom: Eve', true],
])('[CONSENT-4] a mail %j with the text %j has text of others: %j', (subject, text, expected) => {
  expect(quotesOthers(subject, text)).toBe(expected);
});

describe('the key of a mail', () => {
  const mail = (head: string, body = 'Hi.') =>
    Buffer.from(`${head}\r\nMessage-ID: <1@a>\r\nFrom: a@b.test\r\n\r\n${body}\r\n`);
  test('does not depend on its transport', () =>
    expect(mailKey(mail('Received: from one'))).toBe(mailKey(mail('Received: from\r\n another'))));
  test('depends on the content, so that a Message-ID cannot be hijacked', () =>
    expect(mailKey(mail('Received: x', 'Ho.'))).not.toBe(mailKey(mail('Received: x'))));
});

test('a mail with two From headers has no sender', async () => {
  const raw = Buffer.from('From: owner@owner.test\r\nFrom: eve@evil.test\r\nSubject: x\r\n\r\nHi.\r\n');
  expect((await parseMail(raw)).from).toBeNull();
});

test('reads the Message-ID of any email, although the parser refuses headers of megabytes', async () => {
  const raw = (more: string) => Buffer.from(`Message-ID: <1@owner.test>\r\n${more}Subject: x\r\n\r\nHi.\r\n`);
  expect(await readMessageId(raw(''))).toBe('<1@owner.test>');
  const large = raw('X: y\r\n'.repeat(1_000_000));
  await expect(parseMail(large)).rejects.toThrow();
  expect(await readMessageId(large)).toBe('');
});

test('escapes HTML from the model and loads no images', () => {
  const html = renderHtml(
    'Text <script>x</script> **b** [l](javascript:x) ![i](https://evil.test/i.png)\n\n- one\n- two',
  );
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('javascript:');
  expect(html).not.toContain('<img');
  expect(html).toContain('<b>b</b>');
  expect(html).toContain('<li>');
  const rich = renderHtml('So.[^1]\n\n<details><summary>More</summary>\n\n- a\n</details>\n\n[^1]: *b*');
  expect(rich).toMatch(/<p><b>More<\/b><\/p>\s*<blockquote>\s*<ul>/);
  expect(rich).toContain('<p>[^1]: <i>b</i></p>');
});

test('names the path and the problem of a wrong setting', () => {
  const server = { host: 'mail.example.org', user: 'kernel', password: 'a word' };
  const good = { address: 'k@example.org', owner: ['me@example.org'], imap: server, smtp: server };
  const wrong = (change: object) => {
    const { error } = MailSettings.safeParse({ ...good, ...change });
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };
  expect(wrong({})).toBeUndefined();
  expect(wrong({ imap: { ...server, security: 'none' } })).toEqual([
    'imap.security: expected tls or starttls: connections without TLS are limited to servers on this machine',
  ]);
  expect(wrong({ imap: { ...server, password: undefined } })).toEqual([
    'imap.password: expected either password or password_env',
  ]);
  expect(wrong({ smtp: { ...server, password: undefined, password_env: 'NO_SUCH_PASSWORD' } })).toEqual([
    'smtp.password_env: this variable is not set. Modules do not inherit the environment of the kernel that starts them: set password instead',
  ]);
  expect(wrong({ smtp: { ...server, password: undefined, password_env: 'PATH' } })).toBeUndefined();
  expect(wrong({ digest: { at: '7:30' } })).toEqual(['digest.at: expected a time such as 07:30']);
});

test('[CONSENT-14] attaches uploads that an answer to the master links to, and no paths', async () => {
  const asked: string[] = [];
  const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const kernel = {
    async getFile(file: string) {
      asked.push(file);
      return new Response('x', {
        headers: { 'content-disposition': `attachment; filename*=UTF-8''${file}.txt` },
      });
    },
  } as unknown as KernelClient;
  const text = `[a](a.txt) ![b](<b c.png>) [f](/srv/notes/f) [c](/files/${id(1)})\n\n| x |\n|---|\n| [d](/files/${id(2)}) |\n\n\`[no](/files/${id(3)})\` [no](https://a.test/files/${id(4)})`;
  const outcome = { status: 'completed', text, made: new Set([`/files/${id(5)}`]) } as const;
  const attached = async (who: string) => {
    const place = { kernel, chat_id: 'c', sender: { who, person_id: '' }, room: 100 };
    return (await buildAnswer(outcome, place)).attachments.map(({ name }) => name);
  };
  expect(await attached(MASTER)).toEqual([5, 1, 2].map(number => `${id(number)}.txt`));
  expect(asked).toEqual([5, 1, 2].map(id));
  expect(await attached('bob')).toEqual([`${id(5)}.txt`]);
});

test('[CONSENT-14] reads the approved files from the output of the tool, whatever their names are', () => {
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  expect(attachedFiles(`Approved:\n/files/${one}: a /files/${two}: b.txt (1 B)`)).toEqual([`/files/${one}`]);
});

test('keeps questions of two chats apart when a provider gives them the same id', () => {
  const of = (chat_id: string) =>
    toMailRequest({
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

test('offers one-time decisions by mail and shows everything that would run', () => {
  const event = {
    type: 'consent_request',
    id: 'o',
    op_id: 'o',
    action: 'shell',
    command: 'make',
    hands: null,
    sandbox: 'none',
    reason: 'Because.',
    outside: ['web:example.org'],
  };
  const decisions = ['allow', 'allow_session', 'allow_always', 'allow_later', 'deny'];
  const asked = toMailRequest({
    id: 'o',
    chat_id: 'c',
    expires_at: '2030-01-01T00:00:00.000Z',
    event: { ...event, decisions },
  } as unknown as PendingRequest);
  expect(asked?.answers.map(({ label }) => label)).toEqual(['Allow once', 'Deny']);
  expect(asked?.text).toBe(
    'Approval needed: **shell**\n\n    not sandboxed\n\n    Because.\n\n    This turn has read: web:example.org\n\ncommand:\n\n    make',
  );
});

test('keeps the whole text of an email besides the new one, because not everybody knows what it quotes', async () => {
  const raw = 'From: a@b.test\r\nSubject: x\r\n\r\nYes.\r\n\r\nOn 1 May 2026, Ann wrote:\r\n> Shall we?\r\n';
  expect(await parseMail(Buffer.from(raw))).toMatchObject({
    text: 'Yes.',
    whole: 'Yes.\n\nOn 1 May 2026, Ann wrote:\n> Shall we?',
  });
});

test.each([
  ['X-Autoreply: yes', true],
  ['X-Autorespond: Away', true],
  ['X-Mail-Autoreply: 1', true],
  ['X-Loop: robot@b.test', true],
  ['Precedence: auto_reply', true],
  ['Auto-Submitted: auto-replied; owner=x', true],
  ['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', true],
  ['X-Auto-Response-Suppress: OOF, AutoReply', true],
  ['X-Auto-Response-Suppress: All', true],
  ['X-Auto-Response-Suppress: None', false],
  ['X-Auto-Response-Suppress: DR, RN, NRN', false],
  ['X-Autoreply: no', false],
  ['Auto-Submitted: no', false],
  ['Precedence: first-class', false],
  ['Content-Type: text/plain; charset=utf-8', false],
])('an email with the header %j was sent by a program: %j', async (header, isAutomatic) => {
  const { automatic } = await parseMail(
    Buffer.from(`From: a@b.test\r\n${header}\r\nSubject: x\r\n\r\nHi.\r\n`),
  );
  expect(automatic !== null).toBe(isAutomatic);
});
