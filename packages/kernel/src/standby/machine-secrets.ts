/**
 * Checks that a machine is the one that connected first with its client_id: the list of machines shows the client_id to
 * all clients of the API, and the secret to none (CONSENT-12).
 */
import { hash } from 'node:crypto';
import { BoundedMap } from '@chat-kernel/base';
import { KernelError } from '@chat-kernel/protocol';
import type { HandsRecord } from '../ports/index.ts';

const MAX_REMOVED = 1000;

export class MachineSecrets {
  /** The hashes for removed machines, by client_id: every client may remove a machine. */
  readonly #removed = new BoundedMap<string, string>(MAX_REMOVED);

  /**
   * Returns what to store with the record of a machine that connects.
   * @param known its record so far
   * @throws KernelError name_taken without the secret of an earlier connection
   */
  check(
    client_id: string,
    secret: string | undefined,
    known: HandsRecord | undefined,
  ): Pick<HandsRecord, 'secret_hash'> {
    const secret_hash = secret === undefined ? undefined : hash('sha256', secret);
    const required = known?.secret_hash ?? this.#removed.get(client_id);
    if (required !== undefined && required !== secret_hash) {
      const detail =
        'The machine with this client_id connects with a secret (X-Client-Secret), which this stream lacks.';
      throw new KernelError('name_taken', detail);
    }
    return secret_hash === undefined ? {} : { secret_hash };
  }

  removed({ client_id, secret_hash }: HandsRecord): void {
    if (secret_hash !== undefined) this.#removed.set(client_id, secret_hash);
  }
}
