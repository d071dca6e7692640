/** The kernel that clients of the command line talk to. */
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { urlOf } from '../start/url.ts';
import { startInBackground } from './background.ts';

export interface AddressFlags extends Flags {
  url?: string;
  token?: string;
}
interface KernelAddress {
  url: string;
  token: string | undefined;
  /** Starts a kernel there; absent where the address was named, which may be on another machine. */
  startKernel?: () => Promise<string>;
}

/**
 * Returns --url, else CHAT_KERNEL_URL, else the address at which a kernel with these settings listens; warnings about
 * the settings go to stderr.
 * @throws SettingsError
 */
export async function kernelAddress({ url, token, ...flags }: AddressFlags): Promise<KernelAddress> {
  const { CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN } = process.env;
  const named = url ?? (CHAT_KERNEL_URL || undefined);
  const given = token ?? (CHAT_KERNEL_TOKEN || undefined);
  if (named !== undefined) {
    if (!/^https?:$/.test(URL.parse(named)?.protocol ?? ''))
      throw new SettingsError([`${named} is no http address`]);
    return { url: named, token: given };
  }
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { host, port } = settings.server;
  const local = urlOf(host, port);
  return {
    url: local,
    token: given,
    // Port 0 becomes any free port, which only the kernel that took it knows.
    ...(port !== 0 && { startKernel: () => startInBackground(local, flags, settings.data_dir) }),
  };
}
