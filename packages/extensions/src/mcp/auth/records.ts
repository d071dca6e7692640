/** The record of one guest's sign-in in the store, changed only as it was read: several kernels may have the database. */
import type { SignInStore } from '@chat-kernel/kernel';
import { recordOf, type SignInRecord, secretsIn } from './record.ts';

/** Secrets that are remembered for hiding: an older one is over. */
const REMEMBERED = 100;
const HIDDEN = '***';

export class Records {
  readonly #guest: string;
  readonly #url: string;
  readonly #store: SignInStore;
  /** The newest last. */
  readonly #secrets = new Set<string>();

  constructor(guest: string, url: string, store: SignInStore) {
    this.#guest = guest;
    this.#url = url;
    this.#store = store;
  }

  async read(): Promise<SignInRecord> {
    return this.#recordOf(await this.#store.get(this.#guest));
  }

  /**
   * Changes the record, again where somebody else has changed it meanwhile. Returns what it is then.
   * @param change returns its argument where nothing is to be changed
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

  /** Returns the text with stars in place of every secret that was ever read or kept here. */
  hide(text: string): string {
    let shown = text;
    // One that holds another is hidden whole.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length))
      shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  }

  #recordOf(text: string | null): SignInRecord {
    const record = recordOf(text, this.#url);
    this.#remember(record);
    return record;
  }

  #remember(record: SignInRecord): void {
    for (const secret of secretsIn(record)) this.#secrets.add(secret);
    for (const oldest of this.#secrets) {
      if (this.#secrets.size <= REMEMBERED) return;
      this.#secrets.delete(oldest);
    }
  }
}
