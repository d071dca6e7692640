/** The access token for the proxy in front of the kernel. It is stored on this device only if the user chooses so. */
import { keepForWorker, readStored, writeStored } from '../base/storage.ts';
import { Store } from '../base/store.ts';

interface Access {
  token: string | null;
  /** True after a request was rejected because its token was missing or invalid. */
  asking: boolean;
  /** True if the entered token was rejected. */
  wrong: boolean;
}

const KEY = 'token';

// Copies the token that an older version of the page stored, or removes the copy if storage was cleared since.
keepForWorker(KEY, readStored(KEY));

export const access = new Store<Access>({ token: readStored(KEY), asking: false, wrong: false });

export function refused(): void {
  access.update(({ token, asking, wrong }) => ({
    token,
    asking: true,
    wrong: wrong || (token !== null && !asking),
  }));
}

export function giveToken(token: string, keepIt: boolean): void {
  keepToken(keepIt ? token : null);
  access.set({ token, asking: false, wrong: false });
}

export function forgetToken(): void {
  keepToken(null);
  access.set({ token: null, asking: true, wrong: false });
}

/** Stores the token for the page and for the service worker, which answers from notifications. */
function keepToken(token: string | null): void {
  writeStored(KEY, token);
  keepForWorker(KEY, token);
}
