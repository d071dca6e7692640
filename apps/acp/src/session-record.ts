/** What the owner has allowed in a session of the editor, some of it beyond the one operation (HANDS-6, HANDS-7). */
import { resolve } from 'node:path';
import { type LastingChoice, type Operation, type OwnRecord, RecordInMemory } from '@chat-kernel/client';
import { isEditBelow, isPrefix } from '@chat-kernel/protocol';

/** The chat and the directory of the hands are the same for all operations of a session. */
export class SessionRecord implements OwnRecord {
  readonly #cwd: string;
  readonly #operations = new RecordInMemory();
  /** The first words of commands, with the directory that the command names. */
  readonly #prefixes: { prefix: string; workdir: unknown }[] = [];
  #edits = false;

  /** @param cwd the editor's folder, absolute */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  covers(operation: Operation): boolean {
    const { action, params } = operation;
    if (this.#operations.covers(operation)) return true;
    if (action === 'write')
      return this.#edits && isEditBelow(this.#cwd, resolve(this.#cwd, `${params.path}`));
    return (
      action === 'shell' &&
      this.#prefixes.some(
        ({ prefix, workdir }) => workdir === params.workdir && isPrefix(prefix, `${params.command}`),
      )
    );
  }

  give(choice: LastingChoice, operation: Operation): void {
    if (choice.decision === 'allow_edits') this.#edits = true;
    else if (choice.decision === 'allow_prefix')
      this.#prefixes.push({ prefix: choice.prefix ?? '', workdir: operation.params.workdir });
    else this.#operations.give(choice, operation);
  }
}
