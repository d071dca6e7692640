/**
 * Stores the record of one guest's sign-in. Writes only if the record is unchanged since it was read, because several
 * kernels may share the database.
 */
import { BoundedMap } from '@chat-kernel/base';
import type { SignInStore } from '@chat-kernel/kernel';
import { parseRecord, type SignInRecord, secretsIn } from './record.ts';

/** Maximum number of secrets kept for redaction; older ones have expired. */
const MAX_HISTORY = 100;
const HIDDEN = '***';

export class Records {
  readonly #guest: string;
  readonly #url: string;
  readonly #store: SignInStore;
  /** The newest last. */
  readonly #secrets = new BoundedMap<string, true>(MAX_HISTORY);

  constructor(guest: string, url: string, store: SignInStore) {
    this.#guest = guest;
    this.#url = url;
    this.#store = store;
  }

  async read(): Promise<SignInRecord> {
    return this.#recordOf(await this.#store.get(this.#guest));
  }

  /**
   * Changes the record, and retries if another request has changed it in the meantime. Returns the new record.
   * @param change returns its argument if there is nothing to change
   */
  async change(change: (record: SignInRecord) => SignInRecord): Promise<SignInRecord> {
    for (;;) {
      const text = await this.#store.get(this.#guest);
      const before = this.#recordOf(text);
      const after = change(before);
      if (after === before) return before;
      this.#remember(after);
      if (await this.#store.swap(this.#guest, text, JSON.stringify(after))) return after;
    }
  }

  async clear(): Promise<void> {
    for (;;) {
      const text = await this.#store.get(this.#guest);
      if (await this.#store.swap(this.#guest, text, null)) return;
    }
  }

  /** Returns the text with stars in place of every secret that was ever read or stored here. */
  hide(text: string): string {
    let shown = text;
    // Longest first, so that a secret that contains another one is hidden completely.
    for (const secret of [...this.#secrets.keys()].sort((a, b) => b.length - a.length))
      shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  }

  #recordOf(text: string | null): SignInRecord {
    const record = parseRecord(text, this.#url);
    this.#remember(record);
    return record;
  }

  #remember(record: SignInRecord): void {
    for (const secret of secretsIn(record)) this.#secrets.set(secret, true);
  }
}
