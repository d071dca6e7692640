/** The token of the proxy before the kernel: asked for once, kept on this device only where its owner says so. */
import { keep, keepForWorker, kept } from '../base/kept.ts';
import { Store } from '../base/store.ts';

interface Access {
  token: string | null;
  /** Somebody refused a request without the right token. */
  asking: boolean;
  /** The token that was given was refused. */
  wrong: boolean;
}

const KEY = 'token';

// What an older page has kept, and what was switched off meanwhile.
keepForWorker(KEY, kept(KEY));

export const access = new Store<Access>({ token: kept(KEY), asking: false, wrong: false });

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

/** Also for the service worker, which answers from a notification. */
function keepToken(token: string | null): void {
  keep(KEY, token);
  keepForWorker(KEY, token);
}
