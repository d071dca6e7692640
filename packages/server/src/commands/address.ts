/** The kernel that clients of the command line talk to. */

import { urlOf } from '../http/url.ts';
import type { Flags } from '../settings/overrides.ts';
import { CommandError } from '../start/start-failure.ts';

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
 * @throws SettingsError, CommandError
 */
export async function kernelAddress({ url, token, ...flags }: AddressFlags): Promise<KernelAddress> {
  const { CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN } = process.env;
  const named = url ?? (CHAT_KERNEL_URL || undefined);
  const given = token ?? (CHAT_KERNEL_TOKEN || undefined);
  if (named !== undefined) {
    if (!/^https?:$/.test(URL.parse(named)?.protocol ?? '')) {
      const origin = url === undefined ? 'CHAT_KERNEL_URL' : '--url';
      throw new CommandError(`${origin} ${named} is no address: it begins with http:// or https://`);
    }
    return { url: named, token: given };
  }
  // Loaded only here: whoever names an address needs neither settings nor a start.
  const { loadOwnSettings } = await import('../settings/load.ts');
  const { startInBackground } = await import('./background.ts');
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { host, port } = settings.server;
  const local = urlOf(host, port);
  return {
    url: local,
    token: given,
    // Port 0 becomes any free port, which only the kernel that took it knows.
    ...(port !== 0 && {
      startKernel: async () => (await startInBackground(flags, settings.data_dir)).url,
    }),
  };
}
