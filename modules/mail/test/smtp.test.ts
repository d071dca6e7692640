/** Tests failures of sending: a mail that the server may have accepted is not sent again automatically. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { KernelClient } from '@chat-kernel/module-sdk';
import { CrashGuard } from '@chat-kernel/module-sdk/surface';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { Folders } from '../src/folders.ts';
import { Mailbox } from '../src/mailbox.ts';
import { MailOutbox } from '../src/outbox.ts';
import { MailSettings } from '../src/settings.ts';
import { deliver, NotReached } from '../src/smtp.ts';
import { MailStore } from '../src/store.ts';

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

/** A server with scripted answers, by whole line or first word. Null: it disconnects instead of answering. */
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
        say(said[line] === undefined ? what : line);
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
  test('is accepted, and reports rejected recipients', async () => {
    expect(await deliver(MAIL, await settingsFor({}))).toEqual([]);
  });

  test.each([
    ['the greeting', { hello: CUT }],
    ['the login', { AUTH: CUT }],
    ['a rejected login', { AUTH: '535 no' }],
  ])('is not sent if the connection ends at %s', async (_, answers) =>
    expect(await failure(answers)).toBeInstanceOf(NotReached));

  test.each([
    ['RCPT', { RCPT: '550 nobody' }, 550],
    ['the whole text', { taken: '451 later' }, 451],
  ])('is not sent if the server rejects %s', async (_, answers, responseCode) => {
    const error = await failure(answers);
    expect(error).not.toBeInstanceOf(NotReached);
    expect(error).toMatchObject({ responseCode });
  });

  test.each([
    ['accepts it', {}, 'sent'],
    ['rejects the copy', { 'RCPT TO:<kernel@kernel.test>': '550 full' }, 'sent'],
    ['rejects the recipient', { 'RCPT TO:<bob@friends.test>': '550 nobody' }, 'failed'],
  ])('is recorded as sent or failed if the server %s', async (_, answers, state) => {
    const { path, remove } = temporaryDirectory();
    onTestFinished(remove);
    const settings = await settingsFor(answers);
    const store = new MailStore(join(path, 'mail.sqlite'));
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const folders = new Folders(settings);
    const stopping = new AbortController();
    const guard = new CrashGuard(store, stopping.signal);
    const kernel = new KernelClient({ url: 'http://127.0.0.1:9' });
    const services = { settings, store, kernel, guard, folders, log, onMail() {} };
    const mailbox = new Mailbox({ ...services, onNews() {} });
    store.send(MAIL);
    const running = new MailOutbox({ ...services, mailbox }).run(stopping.signal);
    onTestFinished(async () => {
      stopping.abort();
      await running;
      store.close();
    });
    await expect
      .poll(() => store.get<{ state: string }>('SELECT state FROM outgoing')?.state, { timeout: 60_000 })
      .not.toMatch(/composed|sending/);
    expect(store.get('SELECT state, problem FROM outgoing')).toEqual({
      state,
      problem: state === 'failed' ? 'the server rejected the recipient bob@friends.test' : null,
    });
  });

  test('may have been sent if the connection is cut before the final reply', async () => {
    const error = await failure({ taken: CUT });
    expect(error).not.toBeInstanceOf(NotReached);
    expect(error.responseCode).toBeUndefined();
  });
});
