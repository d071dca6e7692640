/**
 * Tracks the files that this client has sent to the kernel. The kernel copies an attached file to the machine where the
 * model works. On the machine that the file comes from, this needs no approval: the user has just attached it.
 */
import type { Operation } from '../api/operation.ts';

/** Path of attached files, below the directory of the chat. */
const PLACE = /(?:^|[\\/])\.service[\\/]files[\\/]([0-9a-f-]{36})[\\/][^\\/]+$/;

export class OwnUploads {
  /** The id of a file → its bytes. */
  readonly #files = new Map<string, Blob>();

  add(id: string, bytes: Blob): void {
    this.#files.set(id, bytes);
  }

  /** True if the operation writes the exact bytes of such a file to the path for it. */
  async brings({ action, params: { path, offset, data } }: Operation): Promise<boolean> {
    if (action !== 'write_bytes' || typeof path !== 'string') return false;
    const bytes = this.#files.get(PLACE.exec(path)?.[1] ?? '');
    if (bytes === undefined || typeof offset !== 'number' || typeof data !== 'string') return false;
    const length = (data.length / 4) * 3 - (data.endsWith('==') ? 2 : Number(data.endsWith('=')));
    try {
      const piece = new Uint8Array(await bytes.slice(offset, offset + length).arrayBuffer());
      return piece.toBase64() === data;
    } catch {
      // The file has changed since: its owner decides about the bytes that were sent.
      return false;
    }
  }
}
