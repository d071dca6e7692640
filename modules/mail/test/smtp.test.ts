/** What a failure of sending means: a mail that the server may have is not sent again as if it had not. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MailSettings } from '../src/settings.ts';
import { deliver, NotReached } from '../src/smtp.ts';

const CUT = null;
const USUAL: Record<string, string | typeof CUT> = {
  hello: '220 ready',
  EHLO: '250-me\r\n250 AUTH PLAIN',
  AUTH: '235 yes',
  MAIL: '250 yes',
  RCPT: '250 yes',
  DATA: '354 go on',
  taken: '250 taken',
  QUIT: '221 bye',
};

/** A server that answers so; null: it cuts the line in the place of an answer. */
async function settingsFor(answers: Partial<typeof USUAL>): Promise<MailSettings> {
  const said = { ...USUAL, ...answers };
  const server = createServer(socket => {
    socket.on('error', () => {});
    const say = (what: string) => (said[what] == null ? socket.destroy() : socket.write(`${said[what]}\r\n`));
    let text = '';
    let inMail = false;
    socket.on('data', chunk => {
      text += chunk;
      for (;;) {
        const end = inMail ? '\r\n.\r\n' : '\r\n';
        const at = text.indexOf(end);
        if (at < 0) return;
        const line = text.slice(0, at);
        text = text.slice(at + end.length);
        const what = inMail ? 'taken' : line.slice(0, 4).toUpperCase();
        inMail = what === 'DATA';
        say(what);
      }
    });
    say('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const login = { host: '127.0.0.1', security: 'none', user: 'kernel', password: 'a word' };
  return MailSettings.parse({
    address: 'kernel@kernel.test',
    owner: ['owner@owner.test'],
    imap: login,
    smtp: { ...login, port: (server.address() as AddressInfo).port },
  });
}

const MAIL = {
  message_id: '<1@kernel.test>',
  recipient: 'bob@friends.test',
  raw: Buffer.from('Subject: x\r\n\r\nHi.'),
};
const failure = async (answers: Partial<typeof USUAL>) =>
  deliver(MAIL, await settingsFor(answers)).then(
    () => expect.fail('it was sent'),
    error => error,
  );

describe('a mail', () => {
  test('is taken, and refused addresses are told', async () => {
    expect(await deliver(MAIL, await settingsFor({}))).toEqual([]);
  });

  test.each([
    ['the greeting', { hello: CUT }],
    ['the login', { AUTH: CUT }],
    ['a refused login', { AUTH: '535 no' }],
  ])('that ends at %s was not sent', async (_, answers) =>
    expect(await failure(answers)).toBeInstanceOf(NotReached));

  test.each([
    ['RCPT', { RCPT: '550 nobody' }, 550],
    ['the whole text', { taken: '451 later' }, 451],
  ])('that the server says no to at %s was not sent', async (_, answers, responseCode) => {
    const error = await failure(answers);
    expect(error).not.toBeInstanceOf(NotReached);
    expect(error).toMatchObject({ responseCode });
  });

  test('whose line is cut in the place of the last yes may have been sent', async () => {
    const error = await failure({ taken: CUT });
    expect(error).not.toBeInstanceOf(NotReached);
    expect(error.responseCode).toBeUndefined();
  });
});
