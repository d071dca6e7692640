/** Where the kernel is that the clients of the command line talk to. */
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { startInBackground } from './background.ts';

export interface AddressFlags extends Flags {
  url?: string;
  token?: string;
}
export interface Address {
  url: string;
  token: string | undefined;
  /** Starts a kernel there; absent where the address was named: it may be anybody's machine. */
  startKernel?: () => Promise<string>;
}

/** --url, else CHAT_KERNEL_URL, else where a kernel with these settings listens. @throws SettingsError */
export async function addressOf({ url, token, ...flags }: AddressFlags): Promise<Address> {
  const { CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN } = process.env;
  const named = url ?? (CHAT_KERNEL_URL || undefined);
  const given = token ?? (CHAT_KERNEL_TOKEN || undefined);
  if (named !== undefined) {
    if (!/^https?:$/.test(URL.parse(named)?.protocol ?? '')) throw new Error(`${named} is no http address`);
    return { url: named, token: given };
  }
  const { settings } = await loadOwnSettings(flags);
  const { host, port } = settings.server;
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url: own,
    token: given,
    // A free port is known to nobody but the kernel that took it.
    ...(port !== 0 && { startKernel: () => startInBackground(own, flags, settings.data_dir) }),
  };
}
