/** Describes an operation for a question to the owner, with the same text in every client. */

import { EXCEPTION_REASONS, sandboxException } from '@chat-kernel/protocol/tables';
import type { Operation, SandboxKind } from '../api/operation.ts';
import type { Action } from './hands.ts';

/** Operations that only list names need no approval. */
const WORDS: Readonly<Record<Exclude<Action, 'list_dir' | 'list_up'> | 'connect', string>> = {
  shell: 'run a command',
  read: 'read a file',
  write: 'write a file',
  read_bytes: 'read bytes of a file',
  write_bytes: 'write bytes of a file',
  find_bytes: 'search in a file',
  undo: 'undo edits of files',
  connect: 'reach a host',
};
/** Operations of the kernel's own machine only. */
const OF_KERNEL: Readonly<Record<string, string>> = { workdir: 'work in another directory' };

/** The actions of calls with several operations. */
const SEVERAL: Readonly<Record<string, (count: number) => string>> = {
  shell: count => `run ${count} commands`,
  read: count => `read ${count} files`,
};

/**
 * An unknown action may be a tool of a module, which asks before it acts.
 * @param count the number of operations, if the decision covers a whole call
 */
export const describeAction = (action: string, count = 1): string => {
  const several = Object.hasOwn(SEVERAL, action) ? SEVERAL[action] : undefined;
  if (count > 1 && several !== undefined) return several(count);
  if (Object.hasOwn(OF_KERNEL, action)) return OF_KERNEL[action]!;
  return Object.hasOwn(WORDS, action) ? WORDS[action as keyof typeof WORDS] : `use ${action}`;
};

/** Describes the sandbox of an operation. Null for kernels and machines that do not report it. */
export const describeSandbox = (sandbox: SandboxKind | undefined): string | null =>
  sandbox === undefined ? null : sandbox === 'none' ? 'not sandboxed' : 'sandboxed';

/** The lines below the headline of a request for consent: why it asks, and what the turn has read from outside. */
export function describeConsent({ reason, outside = [], params = {} }: Described): string[] {
  const exception = sandboxException(params);
  const lines = [
    reason ?? [],
    exception === undefined ? [] : EXCEPTION_REASONS[exception],
    exception === 'outside_sandbox' ? `The model says: ${params.outside_sandbox}` : [],
    outside.length === 0 ? [] : `This turn has read: ${outside.join(', ')}`,
  ];
  return [...new Set(lines.flat())];
}

/** `params`: absent if they are shown as a whole. */
type Described = Pick<Operation, 'reason' | 'outside'> & { params?: Readonly<Record<string, unknown>> };
