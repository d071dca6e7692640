/**
 * The files that this client has sent to the kernel. The kernel brings a copy of an attached file to the machine where
 * the model works; on the machine that it comes from, there is nothing to ask about: the owner has just named it.
 */
import type { Operation } from '../api/operation.ts';

/** Where the kernel puts attached files, below the directory of the chat. */
const PLACE = /(?:^|[\\/])\.service[\\/]files[\\/]([0-9a-f-]{36})[\\/][^\\/]+$/;

export class OwnUploads {
  /** The id of a file → its bytes. */
  readonly #files = new Map<string, Blob>();

  add(id: string, bytes: Blob): void {
    this.#files.set(id, bytes);
  }

  /** Whether the operation writes bytes of such a file, to the byte, to the place for it. */
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
