/** The daily mail to the master: what was not answered and why, what could not be sent, what still waits for a decision. */
import { setTimeout as pause } from 'node:timers/promises';
import { written } from './outgoing.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

const LOOK_MS = 30_000;
/** Most mails that are named one by one. */
const MOST = 100;

interface DigestServices {
  settings: MailSettings;
  store: MailStore;
  /** Called when a mail is in the outbox. */
  onMail: () => void;
}

export class Digest {
  readonly #services: DigestServices;

  constructor(services: DigestServices) {
    this.#services = services;
  }

  /** Works until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(new Date());
      await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Writes the digest of the day where its time has come: one a day, and none where there is nothing to tell. */
  async look(now: Date): Promise<void> {
    const { settings, store, onMail } = this.#services;
    const { digest } = settings;
    if (!digest) return;
    const [day = '', time = ''] = localTime(now, digest.timezone);
    const last = store.get<{ value: string }>("SELECT value FROM setup WHERE name = 'digest'")?.value ?? '';
    if (day <= last || time < digest.at) return;
    const { text, upTo } = this.#told(now);
    const to = settings.owner[0]!;
    const mail =
      text && (await written({ of: `digest ${day}`, to, subject: `Mails of ${day}`, text }, this.#services));
    store.transaction(() => {
      store.run("INSERT OR REPLACE INTO setup VALUES ('digest', ?)", day);
      store.run('UPDATE mail SET told_at = ? WHERE told_at IS NULL AND id <= ?', now.getTime(), upTo);
      if (mail) store.send(mail);
    });
    onMail();
  }

  /** The text, empty where there is nothing to tell, and the last mail that it is about. */
  #told(now: Date): { text: string; upTo: number } {
    const { store } = this.#services;
    const mails = store.all<{ id: number; sender: string | null; subject: string | null; why: string }>(
      "SELECT id, sender, subject, why FROM mail WHERE told_at IS NULL AND state IN ('ignored', 'failed') ORDER BY id",
    );
    const unsent = store.all<{ recipient: string; problem: string }>(
      "SELECT recipient, problem FROM outgoing WHERE state = 'failed' AND tried_at > ?",
      now.getTime() - 86_400_000,
    );
    const { open } = store.get<{ open: number }>(
      'SELECT count(*) AS open FROM asked WHERE ended = 0 AND expires_at > ?',
      now.getTime(),
    )!;
    const parts = [
      ...part(
        'Not answered:',
        mails.map(({ sender, subject, why }) => `${sender ?? 'nobody'}, "${subject ?? ''}": ${why}`),
      ),
      ...part(
        'Not sent:',
        unsent.map(({ recipient, problem }) => `${recipient}: ${problem}`),
      ),
      ...(open > 0 ? [`Waiting for your decision: ${open}.`] : []),
    ];
    return { text: parts.join('\n\n'), upTo: mails.at(-1)?.id ?? 0 };
  }
}

/** As code, for what strangers write is no markup of ours. */
function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MOST).map(line => `    ${line.replace(/\s+/g, ' ')}`);
  const more = lines.length > MOST ? [`    and ${lines.length - MOST} more`] : [];
  return [`${title}\n\n${[...shown, ...more].join('\n')}`];
}

/** Day and time as the clocks there show them: `2026-11-23`, `07:30`. */
const localTime = (now: Date, timeZone: string): string[] =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(now)
    .split(' ');
