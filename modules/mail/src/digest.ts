/**
 * Sends a daily email to the master: ignored emails with the reason, emails that could not be sent, and open decisions.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { composeMail } from './outgoing.ts';
import type { MailServices } from './services.ts';

const POLL_INTERVAL_MS = 30_000;
/** The maximum number of emails that are listed individually. */
const MAX_LISTED = 100;

type DigestServices = Omit<MailServices, 'kernel' | 'folders'>;

export class Digest {
  readonly #services: DigestServices;

  constructor(services: DigestServices) {
    this.#services = services;
  }

  /** Works until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(new Date());
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Writes the digest of the day when it is due: at most one a day, and none if there is nothing to report. */
  async look(now: Date): Promise<void> {
    const { settings, store, guard, log } = this.#services;
    const { digest } = settings;
    if (!digest) return;
    const [day = '', time = ''] = localTime(now, digest.timezone);
    const last = store.get<{ value: string }>("SELECT value FROM setup WHERE name = 'digest'")?.value ?? '';
    if (day <= last || time < digest.at) return;
    const giveUp = () => {
      log.error(`The mail summary for ${day} is given up: writing it ended the program twice.`);
      store.transaction(() => {
        store.run("INSERT OR REPLACE INTO setup VALUES ('digest', ?)", day);
        // Otherwise the next digest would contain the cause again.
        store.run(
          "UPDATE mail SET told_at = ? WHERE told_at IS NULL AND state IN ('ignored', 'failed')",
          now.getTime(),
        );
      });
    };
    await guard.attempt(`digest ${day}`, () => this.#write(day, now), giveUp);
  }

  async #write(day: string, now: Date): Promise<void> {
    const { settings, store, onMail } = this.#services;
    const { text, upTo } = this.#told(now);
    const to = settings.owner[0]!;
    const mail =
      text &&
      (await composeMail(
        { of: `digest ${day}`, to, subject: `Mail summary for ${day}`, text },
        this.#services,
      ));
    store.transaction(() => {
      store.run("INSERT OR REPLACE INTO setup VALUES ('digest', ?)", day);
      store.run('UPDATE mail SET told_at = ? WHERE told_at IS NULL AND id <= ?', now.getTime(), upTo);
      if (mail) store.send(mail);
    });
    onMail();
  }

  /** Returns the text, empty if there is nothing to report, and the last mail that it covers. */
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
        mails.map(({ sender, subject, why }) => `${sender ?? 'unknown sender'}, "${subject ?? ''}": ${why}`),
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

/** Renders the lines as code, because text of strangers must not act as markup. */
function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MAX_LISTED).map(line => `    ${line.replace(/\s+/g, ' ')}`);
  const more = lines.length > MAX_LISTED ? [`    and ${lines.length - MAX_LISTED} more`] : [];
  return [`${title}\n\n${[...shown, ...more].join('\n')}`];
}

/** The local date and time in this time zone, such as `2026-11-23` and `07:30`. */
const localTime = (now: Date, timeZone: string): string[] =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(now)
    .split(' ');
