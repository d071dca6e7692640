/** The text of a file on the kernel's machine. */
import type { KernelClient } from '@chat-kernel/client';

/** More is nothing that anybody compares by eye. */
const MOST_BYTES = 512 * 1024;

/** Resolves with null where there is no such file, or it cannot be read. */
export async function textAt(client: KernelClient, path: string): Promise<string | null> {
  try {
    const { data } = await client.readBytes({ path, offset: 0, size: MOST_BYTES });
    return new TextDecoder().decode(Uint8Array.from(atob(data), character => character.charCodeAt(0)));
  } catch {
    return null;
  }
}
