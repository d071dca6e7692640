/** Tests which mails count as the owner's: forged ones never begin a turn, and those of real providers are recognized. */
import { join } from 'node:path';
import type { KernelClient } from '@chat-kernel/module-sdk';
import { QuestionParams } from '@chat-kernel/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { admitMail } from '../../modules/mail/src/admission.ts';
import { Confirmations } from '../../modules/mail/src/confirmations.ts';
import { mailKey, parseMail } from '../../modules/mail/src/incoming.ts';
import { MailSettings } from '../../modules/mail/src/settings.ts';
import { MailStore } from '../../modules/mail/src/store.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { startDns } from './dns.ts';
import { FORGED_HEADERS } from './forged-headers.ts';
import { FORGED_SENDERS } from './forged-senders.ts';
import { type Fate, fieldsOf, SUBJECT, TEXT } from './samples.ts';
import { KERNEL, OWNER } from './servers.ts';
import { ALL, KEYS, signed } from './sign.ts';

const FORGED_MAILS = [...FORGED_HEADERS, ...FORGED_SENDERS];

interface Verdict {
  fate: Fate;
  why?: string;
  subject?: string;
  text?: string;
  references?: string[];
  asked?: string;
}

/** A mailbox that judges mails as the module does, one after the other. */
async function mailbox(answer: string | null = null) {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const server = { host: 'localhost', user: KERNEL, password: 'a word' };
  const settings = MailSettings.parse({
    ...{ address: KERNEL, owner: [OWNER], imap: server, smtp: server, dns: [await startDns(KEYS)] },
    // These no longer prove anything.
    ...{ trusted_authserv_id: 'mx.kernel.test', trusted_mx: 'mx.kernel.test' },
  });
  const kernel = {
    resolvePerson: async () => ({ id: 'p', master: true }),
    listPersons: async () => ({ persons: [] }),
  } as unknown as KernelClient;
  const file = join(path, 'mail.sqlite');
  let store = new MailStore(file);
  onTestFinished(() => store.close());
  const asked: string[] = [];
  const confirmations = new Confirmations({
    ask: async question => {
      asked.push(QuestionParams.parse(question).question);
      return answer;
    },
    onAnswer() {},
  });
  return {
    restart() {
      store.close();
      store = new MailStore(file);
    },
    /** Judges a mail; a question is answered, and then counts as `question` unless the answer is yes. */
    async judge(raw: string, sent = Date.now()): Promise<Verdict> {
      const bytes = Buffer.from(raw, 'utf8');
      const stored = store.run(
        "INSERT OR IGNORE INTO mail (key, state, raw, seen_at) VALUES (?, 'new', ?, ?)",
        ...[mailKey(bytes), bytes, sent],
      );
      if (stored === 0) return { fate: 'stranger', why: 'is known' };
      const { id } = store.get<{ id: number }>('SELECT max(id) AS id FROM mail')!;
      const admit = async () =>
        admitMail(id, await parseMail(bytes), { settings, store, kernel, confirmations });
      let admission = await admit();
      const isAsked = admission === 'asked';
      if (isAsked) admission = await admit();
      if (typeof admission === 'string') throw new Error(`the mail was judged as ${admission}`);
      if ('why' in admission)
        return { fate: isAsked ? 'question' : 'stranger', why: admission.why, asked: asked.at(-1) };
      const { subject, text, references } = await parseMail(admission.mail);
      return { fate: 'turn', subject, text, references, asked: asked.at(-1) };
    },
  };
}

describe('[CONSENT-13] a mail that someone else has made of mails of the owner', () => {
  test('is one of at least 60', () => expect(FORGED_MAILS.length).toBeGreaterThanOrEqual(60));

  test.each(FORGED_MAILS)('$name: $fate', async ({ raw, fate }) => {
    const verdict = await (await mailbox()).judge(raw);
    expect(verdict).toMatchObject({ fate });
    if (fate === 'turn') expect(verdict).toMatchObject({ subject: SUBJECT, text: TEXT });
  });

  test.each(['adds In-Reply-To', 'adds References'])('%s: leads into no chat', async name => {
    const { raw } = FORGED_MAILS.find(sample => sample.name === name)!;
    expect(await (await mailbox()).judge(raw)).toMatchObject({ references: [] });
  });
});

describe('[CONSENT-13] a mail of the owner', () => {
  const raw = (more = {}, signing = {}) => signed(fieldsOf(more), TEXT, signing);

  test('counts once, also after a restart and with other spaces', async () => {
    const box = await mailbox();
    expect(await box.judge(raw())).toMatchObject({ fate: 'turn', subject: SUBJECT, text: TEXT });
    box.restart();
    const repeats = { fate: 'stranger', why: 'it repeats an earlier email' };
    expect(await box.judge(raw().replace('Subject: ', 'Subject:   '))).toMatchObject(repeats);
    expect(await box.judge(`Content-Type: text/html\r\n${raw()}`)).toMatchObject(repeats);
    expect(await box.judge(raw({ Subject: 'another' }))).toMatchObject(repeats);
    expect(await box.judge(raw({ 'Message-ID': '<2@owner.test>' }))).toMatchObject({ fate: 'turn' });
  });

  test('is read although a forged copy came first', async () => {
    const box = await mailbox();
    expect(await box.judge(`Subject: forged\r\n${raw()}`)).toMatchObject({ fate: 'stranger' });
    expect(await box.judge(raw())).toMatchObject({ fate: 'turn' });
  });

  test('cannot be sent again when its id is forgotten', async () => {
    const box = await mailbox();
    const day = 86_400_000;
    const fast = raw({ Date: new Date(Date.now() + 3_500_000).toUTCString() });
    expect(await box.judge(fast)).toMatchObject({ fate: 'turn' });
    const again = fast.replace('Subject: ', 'Subject:  ');
    expect(await box.judge(again, Date.now() + 4 * day)).toMatchObject({
      fate: 'stranger',
      why: expect.stringContaining('3 days'),
    });
  });

  test('counts with several recipients, in a group, and with other spelling', async () => {
    const box = await mailbox();
    const spelled = [
      { To: `Bob <bob@friends.test>, Kernel <${KERNEL.toUpperCase()}>` },
      { To: 'bob@friends.test', Cc: KERNEL },
      { To: `Team: bob@friends.test, ${KERNEL};` },
      { From: OWNER.toUpperCase() },
    ];
    for (const [index, more] of spelled.entries()) {
      const mail = raw({ ...more, 'Message-ID': `<${index}@owner.test>` });
      expect(await box.judge(mail)).toMatchObject({ fate: 'turn' });
    }
    const upper = raw({ 'Message-ID': '<9@owner.test>' }, { domain: 'OWNER.test' });
    expect(await box.judge(upper)).toMatchObject({ fate: 'turn' });
  });

  test('whose recipients or type are not signed becomes a turn only after a yes', async () => {
    const mail = raw({}, { names: ALL.replace(':to', '') });
    const asked =
      /^Is this mail yours\?\nThe signature does not cover to,.*\nSubject: plants\nText: Water the plants\.$/;
    expect(await (await mailbox('Yes')).judge(mail)).toMatchObject({
      fate: 'turn',
      text: TEXT,
      asked: expect.stringMatching(asked),
    });
    for (const answer of ['No', 'yes, of course', null])
      expect(await (await mailbox(answer)).judge(mail)).toMatchObject({
        fate: 'question',
        why: 'you did not confirm it',
      });
  });

  test('is described in the question without hidden characters, and within its limits', async () => {
    const hidden = Buffer.from(`\u202e${'x\u200b'.repeat(20_000)}`).toString('base64');
    const Subject = `=?utf-8?b?${hidden}?=`;
    const { asked } = await (await mailbox()).judge(raw({ Subject }, { names: ALL.replace(':to', '') }));
    expect(asked).not.toMatch(/[\u200b\u202e]/);
    expect(asked).toMatch(/\nSubject: <U\+202E>x<U\+200B>x.*\nText: Water the plants\.$/);
  });
});

describe('[CONSENT-13] a mail signed as by', () => {
  const html =
    '--b\r\nContent-Type: text/plain\r\n\r\nWater the plants.\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Water the plants.</p>\r\n--b--\r\n';
  const plain = { 'MIME-Version': '1.0', 'Content-Type': 'text/plain; charset=utf-8' };
  const alternative = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/alternative; boundary=b' };
  const reply = { 'In-Reply-To': '<0@kernel.test>', References: '<0@kernel.test>' };
  const GMAIL = 'from:to:cc:subject:date:message-id:reply-to';
  const ICLOUD = 'From:Content-Type:Mime-Version:Subject:Message-Id:Date:To:x-icloud-hme';
  const FASTMAIL =
    'cc:cc:content-transfer-encoding:content-type:content-type:date:date:from:from:in-reply-to:in-reply-to:message-id:mime-version:references:reply-to:subject:subject:to:to';
  const MICROSOFT = 'From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck';
  const PROTON =
    'Date:To:From:Subject:Message-ID:Feedback-ID:From:To:Cc:Date:Subject:Reply-To:Feedback-ID:Message-ID:BIMI-Selector';
  const all = ['<0@kernel.test>'];

  test.each<[string, string, object, string, Partial<Verdict>]>([
    [
      'Gmail',
      `content-type:mime-version:message-id:date:subject:to:from:sender:${GMAIL}:content-type`,
      alternative,
      html,
      { fate: 'turn' },
    ],
    [
      'Gmail, a reply',
      `content-transfer-encoding:content-type:mime-version:references:in-reply-to:message-id:date:subject:cc:to:from:sender:${GMAIL}:content-type`,
      { ...plain, ...reply, 'Content-Transfer-Encoding': '8bit' },
      TEXT,
      { fate: 'turn', references: all },
    ],
    [
      'Gmail before 2026',
      `to:subject:message-id:date:from:mime-version:${GMAIL}`,
      alternative,
      html,
      { fate: 'question' },
    ],
    ['Microsoft 365', MICROSOFT, { ...alternative, 'Content-Language': 'en-US' }, html, { fate: 'question' }],
    ['iCloud', ICLOUD, { ...alternative, 'Content-Transfer-Encoding': '7bit' }, html, { fate: 'turn' }],
    ['iCloud, a reply', ICLOUD, { ...plain, ...reply }, TEXT, { fate: 'turn', references: [] }],
    [
      'iCloud, with encoded text',
      ICLOUD,
      { ...plain, 'Content-Transfer-Encoding': 'quoted-printable' },
      TEXT,
      { fate: 'question' },
    ],
    [
      'Fastmail',
      FASTMAIL,
      { ...plain, ...reply, 'Content-Transfer-Encoding': '7bit', 'Content-Language': 'en' },
      TEXT,
      { fate: 'turn', references: all },
    ],
    ['Proton', PROTON, { ...alternative, 'Feedback-ID': '1:user:proton' }, html, { fate: 'question' }],
  ])('%s', async (_, names, more, body, expected) => {
    const mail = signed(fieldsOf({ ...more }), body, { names });
    expect(await (await mailbox()).judge(mail)).toMatchObject(expected);
    const confirmed = await (await mailbox('Yes')).judge(mail);
    expect({ ...confirmed, text: confirmed.text?.trim() }).toMatchObject({
      fate: 'turn',
      subject: SUBJECT,
      text: TEXT,
    });
  });
});
