/** Stores approvals of an editor session, including those for later operations (HANDS-6, HANDS-7). */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  factsOfDecision,
  isLasting,
  type LastingChoice,
  type LocalApprovals,
  MemoryApprovals,
  type Operation,
  type Reach,
  sandboxException,
} from '@chat-kernel/client';
import { isEditBelow, prefixCovers } from '@chat-kernel/protocol';

/** The chat and the directory of the hands are the same for all operations of a session. */
export class SessionRecord implements LocalApprovals {
  readonly #cwd: string;
  readonly #operations = new MemoryApprovals();
  /** Decisions that cover more than one operation. */
  readonly #wider: Wider[] = [];

  /** @param cwd the editor's folder, absolute */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  covers(operation: Operation): boolean {
    return this.#operations.covers(operation) || this.#isReached(operation);
  }

  coversByPrefix(operation: Operation): boolean {
    return operation.action === 'shell' && !this.#operations.covers(operation) && this.#isReached(operation);
  }

  #isReached(operation: Operation): boolean {
    return this.#wider.some(given => REACHES[given.reach](given, operation, this.#cwd));
  }

  give(choice: LastingChoice, operation: Operation): void {
    const { decision, prefix = '' } = choice;
    const reach = isLasting(decision) ? factsOfDecision(decision)?.reach : undefined;
    if (reach === undefined || reach === 'same') {
      this.#operations.give(choice, operation);
      return;
    }
    const { workdir } = operation.params;
    const exception = sandboxException(operation.params);
    this.#wider.push({ reach, prefix, workdir, exception });
  }
}

interface Wider {
  reach: Exclude<Reach, 'same'>;
  /** The prefix of commands, with the working directory. */
  prefix: string;
  workdir: unknown;
  exception: ReturnType<typeof sandboxException>;
}

const REACHES: Readonly<
  Record<Wider['reach'], (given: Wider, operation: Operation, cwd: string) => boolean>
> = {
  prefix: ({ prefix, workdir, exception }, { action, params }) =>
    action === 'shell' &&
    workdir === params.workdir &&
    exception === sandboxException(params) &&
    prefixCovers(prefix, `${params.command}`),
  edits: (_, { action, params }, cwd) =>
    action === 'write' && isEditBelow(cwd, resolve(cwd, `${params.path}`), [homedir()]),
};
