/**
 * Tests many mails during failures: connections are cut, and the module, the kernel and the mail server are killed.
 * Each mail is answered exactly once. MAIL_COUNT is the number of mails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { atScale } from '../harness/scale.ts';
import { says } from '../harness/story.ts';
import type { UpstreamScript } from '../upstream/server.ts';
import { arrived, rowsOf, sends, startMailKernel } from './people.ts';
import { KERNEL, type MailServers, missingServers, OWNER, startServers } from './servers.ts';

const COUNT = Number(process.env.MAIL_COUNT ?? atScale(8, 100));
/** Number of successive failures while mails arrive. */
const BREAKS = Number(process.env.MAIL_BREAKS ?? atScale(5, 20));

/** The model answers with the number of the mail. */
const script: UpstreamScript = ({ body }) => {
  const numbers = [...JSON.stringify(body.messages).matchAll(/mail number (\d+)/g)];
  return says(`answer number ${numbers.at(-1)?.[1]}`);
};

describe.skipIf(missingServers())('[MOD-10] failures of mail', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());
  beforeEach(() => servers.empty());

  test(`answers each of ${COUNT} mails exactly once over interrupted connections and kills`, {
    timeout: 1_800_000,
  }, async () => {
    const imap = await startCutProxy(`http://127.0.0.1:${servers.imapPort}`);
    const smtp = await startCutProxy(`http://127.0.0.1:${servers.smtpPort}`);
    onTestFinished(async () => {
      await imap.close();
      await smtp.close();
    });
    const running = await startMailKernel(servers, script, {
      imapPort: Number(new URL(imap.url).port),
      smtpPort: Number(new URL(smtp.url).port),
      // On a busy machine a mail server delivers a copy late.
      module: { resend_after_secs: 30 },
    });
    const cut = async (proxy: typeof imap) => {
      proxy.cut();
      await pause(300);
      proxy.restore();
    };
    const breaks: (() => Promise<void> | void)[] = [
      () => cut(imap),
      () => running.killModule(),
      () => cut(smtp),
      () => servers.killDovecot(),
      () => running.restart(),
    ];
    let sent = 0;
    const sending = (async () => {
      for (; sent < COUNT; sent++) {
        const text = `This is mail number ${sent}.`;
        await sends(servers, { subject: `Mail ${sent}`, text });
      }
    })();
    for (let n = 0; n < BREAKS; n++) {
      // Some mails must get through between the failures; otherwise only the failures are tested.
      const before = servers.inbox(OWNER).length;
      await expect
        .poll(() => servers.inbox(OWNER).length - before, { timeout: 120_000, interval: 10 })
        .toBeGreaterThanOrEqual(Math.min(2, COUNT - before));
      await breaks[n % breaks.length]!();
    }
    await sending;
    // The outbox is empty and no mail is in transit, so no more will arrive.
    const open = () =>
      rowsOf(
        running.dataDir,
        "SELECT (SELECT count(*) FROM mail WHERE state IN ('new', 'posted')) + (SELECT count(*) FROM outgoing WHERE state <> 'sent') AS count",
      )[0]?.count;
    await expect.poll(open, { timeout: 1_200_000, interval: 500 }).toBe(0);
    await expect.poll(() => servers.queued(), { timeout: 300_000, interval: 100 }).toBe(0);
    const answers = await arrived(servers, OWNER, COUNT);
    const numbers = answers.map(({ text }) => Number(/answer number (\d+)/.exec(text ?? '')?.[1] ?? -1));
    const expected = Array.from({ length: COUNT }, (_, n) => n);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(expected);
    // A sent mail is in the folder of sent mails, despite all failures.
    await expect.poll(() => servers.inbox(KERNEL).length, { timeout: 60_000 }).toBe(COUNT);
    const { chats } = (await running.kernel.api.get('/v1/chats?shelf=mail&limit=500')).body;
    expect(chats).toHaveLength(COUNT);
    process.stdout.write(`${COUNT} mails, ${BREAKS} breaks: ${answers.length} answers\n`);
  });

  test('sends no answer again after a kill between acceptance and record, because of the copy in the mailbox', async () => {
    const running = await startMailKernel(servers, script);
    const { dataDir } = running;
    await sends(servers, { subject: 'Mail 1', text: 'This is mail number 1.' });
    await arrived(servers, OWNER, 1);
    await expect.poll(() => servers.folder(KERNEL, 'Sent').length).toBe(1);
    const states = () =>
      rowsOf(dataDir, 'SELECT state FROM outgoing ORDER BY rowid').map(({ state }) => state);
    await running.restart(() => {
      // As the kill left them: one that the server has, and one that never got there.
      rowsOf(dataDir, "UPDATE outgoing SET state = 'sending', tried_at = 1", { change: true });
      const raw = "CAST('Message-ID: <2@kernel.test>' || char(13, 10, 13, 10) || 'Second.' AS BLOB)";
      const values = `'<2@kernel.test>', 'sending', '${OWNER}', ${raw}, NULL, 1, 1, NULL`;
      rowsOf(dataDir, `INSERT INTO outgoing VALUES (${values})`, { change: true });
    });
    await expect.poll(states, { timeout: 60_000 }).toEqual(['sent', 'sent']);
    await expect.poll(() => servers.folder(KERNEL, 'Sent').length, { timeout: 60_000 }).toBe(2);
    const texts = (await arrived(servers, OWNER, 2)).map(({ text }) => text?.trim());
    expect(texts.sort()).toEqual(['Second.', 'answer number 1']);
  });
});
