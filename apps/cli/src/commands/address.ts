/** Finds the kernel for the clients of the command line. */
import { formatUrl } from '@chat-kernel/server/shared';
import type { Flags } from '@chat-kernel/settings';
import { CommandError } from '@chat-kernel/settings/start-failure';

export interface AddressFlags extends Flags {
  url?: string;
  token?: string;
}
interface KernelAddress {
  url: string;
  token: string | undefined;
  /** Starts a kernel there. Absent if the user set the address, which may be on another machine. */
  startKernel?: () => Promise<string>;
}

/**
 * Returns --url, else CHAT_KERNEL_URL, else the address of a kernel with these settings. Prints warnings about the settings
 * to stderr.
 * @throws SettingsError, CommandError
 */
export async function kernelAddress({ url, token, ...flags }: AddressFlags): Promise<KernelAddress> {
  const { CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN } = process.env;
  const named = url ?? (CHAT_KERNEL_URL || undefined);
  const accessToken = token ?? (CHAT_KERNEL_TOKEN || undefined);
  if (named !== undefined) {
    if (!URL.parse(named)?.protocol.match(/^https?:$/)) {
      const origin = url === undefined ? 'CHAT_KERNEL_URL' : '--url';
      throw new CommandError(
        `${origin} ${named} is not a valid address. It must start with http:// or https://.`,
      );
    }
    return { url: named, token: accessToken };
  }
  // Load this only if needed: with an explicit address, settings are not read and no kernel is started.
  const { loadOwnSettings } = await import('@chat-kernel/settings');
  const { startInBackground } = await import('./background.ts');
  const { settings, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { host, port } = settings.server;
  const local = formatUrl(host, port);
  return {
    url: local,
    token: accessToken,
    // With port 0, only the running kernel knows its port.
    ...(port !== 0 && {
      startKernel: async () => (await startInBackground(flags, settings.data_dir)).url,
    }),
  };
}
