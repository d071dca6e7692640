/** Mails with headers that the owner did not write. All names are sentences about what someone did to a mail of the owner. */
import {
  above,
  below,
  DAY_MS,
  dateOf,
  except,
  FORGED,
  fieldsOf,
  genuine,
  mail,
  question,
  RICH,
  rich,
  type Sample,
  SUBJECT,
  stranger,
  TEXT,
  turn,
} from './samples.ts';
import { KERNEL } from './servers.ts';
import { signed } from './sign.ts';

const OTHER: Readonly<Record<string, string>> = {
  From: 'eve@evil.test',
  To: 'eve@evil.test',
  Cc: KERNEL,
  Subject: FORGED,
  Date: dateOf(0),
  'Message-ID': '<2@owner.test>',
  'In-Reply-To': '<9@kernel.test>',
  References: '<9@kernel.test>',
  'MIME-Version': '1.0',
  'Content-Type': 'multipart/mixed; boundary=none',
  'Content-Transfer-Encoding': 'base64',
  'Content-Disposition': `attachment; filename="${FORGED}"`,
};

const doubled = Object.entries(OTHER).flatMap(([name, value]) => [
  stranger(`adds another ${name} above the signed one`, above(`${name}: ${value}`, rich)),
  stranger(`adds another ${name} below the signed one`, below(`${name}: ${value}`, rich)),
  stranger(`repeats the signed ${name}`, above(`${name}: ${new Map(fieldsOf(RICH)).get(name)}`, rich)),
]);

const changed = [
  ...['From', 'Subject', 'Date', 'Message-ID'].map(name =>
    stranger(
      `changes the ${name}, which is not signed`,
      mail({ [name]: OTHER[name] }, { names: except(name.toLowerCase()) }),
    ),
  ),
  ...['Subject', 'Date', 'Message-ID'].map(name =>
    stranger(`removes the ${name}`, mail({ [name]: undefined })),
  ),
  stranger('replaces the signed Subject', genuine.replace(SUBJECT, FORGED)),
  stranger('replaces the text', genuine.replace(TEXT, FORGED)),
  stranger('appends text', `${genuine}\r\n\r\n${FORGED}`),
  stranger(
    'appends text to a mail of which only a part is signed',
    `${mail({}, { tags: `l=${TEXT.length}; ` })}\r\n${FORGED}`,
  ),
  stranger('appends text to a mail of which no text is signed', `${mail({}, { tags: 'l=0; ' })}`),
];

const moved = [
  turn('puts the headers into another order', signed([...fieldsOf(RICH)].reverse(), TEXT)),
  stranger(
    'moves the Subject into the text',
    genuine.replace(/Subject: plants\r\n/, '').replace(TEXT, `Subject: plants\r\n${TEXT}`),
  ),
  stranger('ends the headers early', above(`Subject: ${FORGED}\r\n`)),
  stranger('begins with an empty line', `\r\n${genuine}`),
];

const replayed = [
  stranger('delivers a mail to someone else', mail({ To: 'bob@friends.test' })),
  stranger(
    'delivers a mail to someone else, with another Cc',
    above('Cc: alice@friends.test', mail({ To: 'bob@friends.test' })),
  ),
  question(
    'adds this mailbox in a Cc that is not signed',
    above(`Cc: ${KERNEL}`, mail({ To: 'bob@friends.test' })),
  ),
  question(
    'adds this mailbox in a To that is not signed',
    above(`To: ${KERNEL}`, mail({ To: undefined, Cc: 'bob@friends.test' })),
  ),
  stranger('delivers a mail without recipients', mail({ To: undefined })),
  stranger('adds this mailbox as Bcc', above(`Bcc: ${KERNEL}`, mail({ To: 'bob@friends.test' }))),
  stranger(
    'adds this mailbox as Delivered-To',
    above(`Delivered-To: ${KERNEL}`, mail({ To: 'bob@friends.test' })),
  ),
  stranger('adds this mailbox as Resent-To', above(`Resent-To: ${KERNEL}`, mail({ To: 'bob@friends.test' }))),
  stranger('names this mailbox as the name of another', mail({ To: `"${KERNEL}" <bob@friends.test>` })),
  stranger('names this mailbox in a comment', mail({ To: `bob@friends.test (${KERNEL})` })),
  ...[
    'kernel@kernel.test.evil.test',
    'xkernel@kernel.test',
    'kernel+x@kernel.test',
    '"kernel@kernel.test"@evil.test',
  ].map(To => stranger(`delivers a mail to ${To}`, mail({ To }))),
  stranger('keeps a mail for four days', mail({ Date: dateOf(4 * DAY_MS) })),
  stranger('keeps a mail for three days and an hour', mail({ Date: dateOf(3 * DAY_MS + 3_600_000) })),
  stranger('uses a mail with a date of tomorrow', mail({ Date: dateOf(-DAY_MS) })),
  stranger('uses a mail with an unreadable date', mail({ Date: 'Yesterday' })),
  stranger('uses a mail whose signature has expired', mail({}, { tags: 't=1000000000; x=1000000001; ' })),
];

const aliased = [
  ...['SUBJECT:', 'subject:', 'Subject :', 'Subject\t:'].map(name =>
    stranger(`adds a Subject as ${JSON.stringify(name)}`, above(`${name} ${FORGED}`)),
  ),
  ...['Content-Type :', 'CONTENT-TYPE:', 'content-type\t:'].map(name =>
    question(`adds a type as ${JSON.stringify(name)}`, above(`${name} multipart/mixed; boundary=none`)),
  ),
  ...[
    'Subject\r:',
    'Subject\0:',
    'X: a\nSubject:',
    'X: a\rSubject:',
    'Ѕubject:',
    '\u00a0Subject:',
    ' Subject:',
    ':',
    'Subject',
    'Sub ject:',
  ].map(name => stranger(`adds a line that begins with ${JSON.stringify(name)}`, above(`${name} ${FORGED}`))),
  stranger('adds a line of spaces', above(`X: a\r\n \r\n Subject: ${FORGED}`)),
  stranger('ends the lines with LF', genuine.replaceAll('\r\n', '\n')),
  stranger('begins with the line of a mailbox file', above('From eve@evil.test Mon Nov 23 10:00:00 2026')),
  turn('folds another header over a Subject', above(`X: a\r\n Subject: ${FORGED}`)),
];

const unsigned = [
  question('adds a Content-Type', above('MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=none')),
  question('adds an encoding of bytes', above('Content-Transfer-Encoding: base64')),
  question('adds an encoding in quotes', above('Content-Transfer-Encoding: quoted-printable')),
  stranger('adds two types', above('Content-Type: text/html\r\nContent-Type: text/plain')),
  stranger(
    'adds a type, and a Subject above the signed one',
    above(`Content-Type: multipart/mixed; boundary=none\r\nSubject: ${FORGED}`),
  ),
  turn('adds In-Reply-To', above('In-Reply-To: <9@kernel.test>')),
  turn('adds References', above('References: <8@kernel.test> <9@kernel.test>')),
  turn('adds a file name', above(`Content-Disposition: attachment; filename="${FORGED}"`)),
  turn('adds Reply-To', above('Reply-To: eve@evil.test')),
  turn('adds Sender', above('Sender: eve@evil.test')),
  turn('adds Return-Path', above('Return-Path: <eve@evil.test>')),
  turn('adds Comments', above(`Comments: ${FORGED}`)),
];

export const FORGED_HEADERS: readonly Sample[] = [
  ...doubled,
  ...changed,
  ...moved,
  ...replayed,
  ...aliased,
  ...unsigned,
];
