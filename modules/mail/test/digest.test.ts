/** Tests the daily digest of ignored mails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Digest } from '../src/digest.ts';
import { MailSettings } from '../src/settings.ts';
import { MailStore } from '../src/store.ts';

const server = { host: 'localhost', user: 'kernel', password: 'a word' };
const settings = MailSettings.parse({
  ...{ address: 'kernel@kernel.test', owner: ['owner@owner.test'], imap: server, smtp: server },
  digest: { at: '07:30', timezone: 'Europe/Berlin' },
});

test('sends the digest once a day at its time, and lists each mail once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  const store = new MailStore(join(folder, 'mail.sqlite'));
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const digest = new Digest({ settings, store, onMail() {} });
  const ignored = (key: string) =>
    store.run(
      "INSERT INTO mail (key, state, raw, seen_at, sender, subject, why) VALUES (?, 'ignored', x'', 0, 'eve@evil.test', ?, 'the sender is unknown')",
      ...[key, `**${key}**`],
    );
  const sent = () =>
    store.all<{ raw: Uint8Array }>('SELECT raw FROM outgoing').map(({ raw }) => Buffer.from(raw).toString());
  ignored('one');
  // 07:29 in Berlin.
  await digest.look(new Date('2026-11-23T06:29:00Z'));
  expect(sent()).toEqual([]);
  await digest.look(new Date('2026-11-23T06:30:00Z'));
  await digest.look(new Date('2026-11-23T18:00:00Z'));
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toContain('eve@evil.test, "**one**": the sender is unknown');
  expect(sent()[0]).toContain('To: owner@owner.test');
  ignored('two');
  await digest.look(new Date('2026-11-24T06:30:00Z'));
  expect(sent()).toHaveLength(2);
  expect(sent()[1]).toContain('"**two**"');
  expect(sent()[1]).not.toContain('"**one**"');
  // A day without ignored mails.
  await digest.look(new Date('2026-11-25T06:30:00Z'));
  expect(sent()).toHaveLength(2);
});
