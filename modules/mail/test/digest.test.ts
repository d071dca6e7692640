/** Tests the daily digest of ignored mails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrashGuard } from '@chat-kernel/module-sdk/surface';
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
  const guard = new CrashGuard(store, new AbortController().signal);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const digest = new Digest({ settings, store, guard, log, onMail() {} });
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

test('skips a digest that ends the process twice, and sends the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  const store = new MailStore(join(folder, 'mail.sqlite'));
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const { signal } = new AbortController();
  for (let count = 0; count < 2; count++) await new CrashGuard(store, signal).begin('digest 2026-11-23');
  const logged: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (text: string) => logged.push(text) };
  const digest = new Digest({ settings, store, guard: new CrashGuard(store, signal), log, onMail() {} });
  const ignored = (key: string) =>
    store.run(
      "INSERT INTO mail (key, state, raw, seen_at, sender, subject, why) VALUES (?1, 'ignored', x'', 0, 'eve@evil.test', ?1, 'x')",
      key,
    );
  const sent = () =>
    store.all<{ raw: Uint8Array }>('SELECT raw FROM outgoing').map(({ raw }) => Buffer.from(raw).toString());
  ignored('guilty');
  await digest.look(new Date('2026-11-23T08:00:00Z'));
  await digest.look(new Date('2026-11-23T09:00:00Z'));
  expect(sent()).toEqual([]);
  expect(logged).toEqual([
    'The mail summary for 2026-11-23 is given up: writing it ended the program twice.',
  ]);
  ignored('innocent');
  await digest.look(new Date('2026-11-24T08:00:00Z'));
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toContain('"innocent"');
  expect(sent()[0]).not.toContain('"guilty"');
});
