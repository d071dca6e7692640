/** Tests that what ends the mail module twice is given up with a notice, and that nothing else is. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { messageIdFor } from '../../modules/mail/src/outgoing.ts';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { calls, stuck } from '../harness/story.ts';
import { arrived, replies, rowsOf, sends, startMailKernel } from './people.ts';
import { KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

const HIDDEN =
  'This answer could not be shown here: showing it ended the program twice. Read it in the chat "Which train?" in another client.';
const QUESTION = { subject: 'Which train?', text: 'Which train do I take?' };
const PATIENCE = { timeout: 60_000, interval: 20 };

/** Leaves the record of work as two kills in the middle of it leave it. */
const crashedTwice = (dataDir: string, work: string) =>
  rowsOf(dataDir, `INSERT INTO crash_guard VALUES ('${work}', 1, 1)`, { change: true });

describe.skipIf(missingServers())('[MOD-10] a mail module that ends', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());
  beforeEach(() => servers.empty());

  test('gives up an answer that ends it twice, with one notice, and sends the next one', async () => {
    const smtp = await startCutProxy(`http://127.0.0.1:${servers.smtpPort}`);
    onTestFinished(() => smtp.close());
    const running = await startMailKernel(servers, undefined, {
      smtpPort: Number(new URL(smtp.url).port),
      module: { resend_after_secs: 1 },
    });
    const { dataDir } = running;
    smtp.hold();
    const message_id = await sends(servers, QUESTION);
    for (const crashes of [0, 1]) {
      // The server accepts the connection and does not answer.
      const sql =
        "SELECT crashes FROM crash_guard JOIN outgoing ON key = 'send ' || message_id WHERE running = 1 AND state = 'sending'";
      await expect.poll(() => rowsOf(dataDir, sql), PATIENCE).toEqual([{ crashes }]);
      running.killModule();
    }
    smtp.restore();
    const [notice] = await arrived(servers, OWNER, 1);
    expect(notice).toMatchObject({ subject: 'Re: Which train?', inReplyTo: message_id });
    expect(notice?.text?.trim()).toBe(HIDDEN);
    await sends(servers, { subject: 'And back?', text: 'And back?' });
    const texts = (await arrived(servers, OWNER, 2)).map(({ text }) => text?.trim());
    expect(texts).toEqual([HIDDEN, 'ok']);
    const rows = () => rowsOf(dataDir, 'SELECT state, problem FROM outgoing ORDER BY made_at');
    await expect.poll(rows, PATIENCE).toEqual([
      { state: 'failed', problem: 'sending it ended the program twice' },
      { state: 'sent', problem: null },
      { state: 'sent', problem: null },
    ]);
    expect(rowsOf(dataDir, 'SELECT * FROM crash_guard')).toEqual([]);
  });

  test('gives up an answer that ends it twice before it is in the outbox', async () => {
    const running = await startMailKernel(servers, undefined);
    const { dataDir, upstream } = running;
    upstream.next(stuck({ text: 'Take' }));
    await sends(servers, QUESTION);
    await expect.poll(() => upstream.requests.length, PATIENCE).toBe(1);
    await running.restart(() => {
      const [row] = rowsOf(dataDir, "SELECT key, value AS secret FROM mail, setup WHERE name = 'secret'");
      const { key, secret } = row as { key: string; secret: string };
      crashedTwice(dataDir, `send ${messageIdFor(key, { address: KERNEL, secret })}`);
    });
    const [notice] = await arrived(servers, OWNER, 1);
    expect(notice?.text?.trim()).toBe(HIDDEN);
  });

  test('notifies a verified sender whose mail ends it twice', async () => {
    const running = await startMailKernel(servers, undefined);
    const { dataDir, upstream } = running;
    upstream.next(stuck({ text: 'Take' }));
    const message_id = await sends(servers, QUESTION);
    await expect.poll(() => upstream.requests.length, PATIENCE).toBe(1);
    await running.restart(() => {
      // A kill before the record that the kernel has the mail leaves this.
      rowsOf(dataDir, "UPDATE mail SET state = 'new', posted_at = NULL", { change: true });
      crashedTwice(dataDir, 'read 1');
    });
    const [notice] = await arrived(servers, OWNER, 1);
    expect(notice).toMatchObject({ subject: 'Re: Which train?', inReplyTo: message_id });
    expect(notice?.text).toMatch(/^Your email was not handled: reading it ended the program twice\./);
  });

  test('gives up a request that ends it twice, with one notice', async () => {
    const running = await startMailKernel(servers, undefined);
    const { dataDir, upstream } = running;
    await sends(servers, QUESTION);
    const [answer] = await arrived(servers, OWNER, 1);
    const [row] = rowsOf(dataDir, 'SELECT chat_id FROM mail');
    await running.restart(() => crashedTwice(dataDir, `request ${row?.chat_id} c1 0`));
    const questions = [{ question: 'Which day?', options: [{ label: 'Monday' }, { label: 'Friday' }] }];
    upstream.next(calls('c1', 'ask_questions', { questions }));
    await replies(servers, answer, 'And back?');
    const [, notice] = await arrived(servers, OWNER, 2);
    expect(notice?.subject).toBe('A request for you');
    expect(notice?.text).toMatch(/^A request could not be shown here: showing it ended the program twice\./);
    expect(rowsOf(dataDir, 'SELECT ended FROM asked')).toEqual([{ ended: 0 }]);
    // The kernel would wait for the turn.
    await running.kernel.api.post(`/v1/chats/${row?.chat_id}/cancel`);
  });

  test('leaves mails that end it twice in the mailbox, and answers the next one', async () => {
    const running = await startMailKernel(servers, undefined);
    const { dataDir } = running;
    await running.restart(() => {
      const [row] = rowsOf(dataDir, 'SELECT uidvalidity, last_uid FROM mailbox');
      const { uidvalidity, last_uid } = row as { uidvalidity: string; last_uid: number };
      crashedTwice(dataDir, `fetch INBOX ${uidvalidity} ${last_uid + 1}`);
      // The first row is of the mail that is not fetched.
      crashedTwice(dataDir, 'read 2');
    });
    await sends(servers, { subject: 'First', text: 'This cannot be fetched.' });
    await expect.poll(() => rowsOf(dataDir, 'SELECT 1 FROM mail').length, PATIENCE).toBe(1);
    await sends(servers, { subject: 'Second', text: 'This cannot be read.' });
    await sends(servers, { subject: 'Third', text: 'This is a mail.' });
    const answers = await arrived(servers, OWNER, 1);
    expect(answers.map(({ subject }) => subject)).toEqual(['Re: Third']);
    const why = 'reading it ended the program twice';
    expect(rowsOf(dataDir, 'SELECT state, why FROM mail ORDER BY id')).toEqual([
      { state: 'failed', why },
      { state: 'failed', why },
      { state: 'done', why: null },
    ]);
    const kept = (await arrived(servers, KERNEL, 3)).map(({ subject }) => subject);
    expect(kept).toEqual(expect.arrayContaining(['First', 'Second', 'Third']));
  });
});
