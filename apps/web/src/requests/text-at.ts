/** Reads a text file on the server. */
import type { KernelClient } from '@chat-kernel/client';

/** Longer files are truncated: the text is for reading and for diffs. */
const MAX_BYTES = 512 * 1024;

/** Resolves with null if the file does not exist or cannot be read. */
export async function textAt(client: KernelClient, path: string): Promise<string | null> {
  try {
    const { data } = await client.readBytes({ path, offset: 0, size: MAX_BYTES });
    return new TextDecoder().decode(Uint8Array.from(atob(data), character => character.charCodeAt(0)));
  } catch {
    return null;
  }
}
