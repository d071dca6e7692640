/** Describes an operation and a saved approval for the owner, with the same text in every client. */
import { EXCEPTION_REASONS, factsOfDecision, sandboxException } from '@chat-kernel/protocol/tables';
import type { Operation, SandboxKind } from '../api/operation.ts';
import type { Approval } from '../api/types.ts';
import type { Action } from './hands.ts';

/** Operations that only list names need no approval. */
const WORDS: Readonly<Record<Exclude<Action, 'list_dir' | 'list_up'> | 'connect' | 'workdir', string>> = {
  shell: 'run a command',
  read: 'read a file',
  write: 'write a file',
  read_bytes: 'read bytes of a file',
  write_bytes: 'write bytes of a file',
  find_bytes: 'search in a file',
  undo: 'undo edits of files',
  connect: 'reach a host',
  workdir: 'work in another directory',
};

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

/** Both parts contain names of files and commands, so show them exactly. */
interface DescribedApproval {
  /** One sentence, without a period. If there is `text`, it ends with a colon. */
  covers: string;
  /** The command, or the words at its beginning. */
  text?: string;
}

export function describeApproval(approval: Approval): DescribedApproval {
  const { action, command, prefix, target, workdir, outside = [], decision } = approval;
  const machine = describeMachine(approval);
  const place = workdir === null ? machine : `in ${workdir} ${machine}`;
  const after = outside.length === 0 ? '' : `, also after the turn has read ${outside.join(', ')}`;
  if (prefix !== undefined)
    return { covers: `Runs plain commands ${place}${after}, if they start with:`, text: prefix };
  if (command !== undefined) return { covers: `Runs exactly this command ${place}${after}:`, text: command };
  if (factsOfDecision(decision)?.reach === 'edits')
    return { covers: `Changes files below ${workdir} ${machine}, except protected ones${after}` };
  if (action === 'read' || action === 'write') {
    const verb = action === 'read' ? 'Reads' : 'Changes';
    const files = target === undefined ? 'any file' : `${target.endsWith('/') ? 'files in ' : ''}${target}`;
    const during = target !== undefined || workdir === null ? '' : `, while the chat works in ${workdir}`;
    return { covers: `${verb} ${files} ${machine}${during}${after}` };
  }
  const about = target === undefined ? '' : ` for ${target}`;
  return { covers: `May ${describeAction(action)}${about}${workdir === null ? '' : ` ${place}`}${after}` };
}

function describeMachine({ hands, workdir_on }: Approval): string {
  if (hands !== undefined) return `on ${hands}`;
  return workdir_on === 'server' ? 'on the server' : 'on the machine of the client';
}
