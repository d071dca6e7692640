/** The hands of one chat: runs its operations on this machine and asks for approval. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Approve,
  allowReads,
  alwaysAsks,
  type Chat,
  HandsRunner,
  type KernelClient,
  type LocalApprovals,
  type Operation,
  type OwnUploads,
  readCurrentFile,
  textAfterWrite,
} from '@chat-kernel/client';
import { type CommandOptions, nodeHands, sandboxKind } from '@chat-kernel/hands';
import type { ApprovalRequest } from '../dialogs/approval.ts';
import { type HandsPolicy, worksHere } from '../machine/hands-policy.ts';
import { changesThings, guarded, isPlainEdit, type Mode } from '../machine/modes.ts';
import { undoHere } from '../machine/state-directory.ts';
import type { ApprovalDialogs } from './approvals.ts';

/** The client identity of this terminal. */
export interface Own {
  readonly client_id: string;
  /** Files that this terminal attached. */
  readonly uploads: OwnUploads;
  record(kernel: string, workdir: string): LocalApprovals;
}

interface HandsSettings {
  chat: Chat;
  policy: HandsPolicy;
  own: Own;
  commands?: CommandOptions | undefined;
  /** Absolute working directory of the hands. */
  workdir: string;
  /** Whether reads run without approval: only below the directory that the user chose. */
  readsAllowed: boolean;
  mode: () => Mode;
  /** Whether the user is reverting files in this terminal. */
  isUndoing: () => boolean;
}

/** Without hands for a chat on another machine, the runner only asks about the kernel's own machine. */
export function createHandsRunner(
  client: KernelClient,
  approvals: ApprovalDialogs,
  { chat, policy, own, commands, workdir, readsAllowed, mode, isUndoing }: HandsSettings,
  onError: (error: unknown) => void,
): HandsRunner {
  const within = policy === 'all' ? ['/'] : [workdir];
  const hands = guarded(nodeHands({ ...commands, workdir, within, undo: undoHere(client.url) }), mode);
  // Open dialogs in the order of their operations, even if reading a file takes long.
  let earlier: Promise<unknown> = Promise.resolve();
  const ask: Approve = async (operation, signal) => {
    const { params, decisions = [] } = operation;
    const isElsewhere = operation.hands !== undefined;
    const read = earlier.then(() =>
      isElsewhere ? remoteFile(client, operation, signal) : localFile(hands, workdir, operation, signal),
    );
    earlier = read;
    const given = typeof params.workdir === 'string' ? params.workdir : undefined;
    const place = isElsewhere ? (given ?? null) : resolve(workdir, given ?? '.');
    return approvals.ask(chat, { ...operation, decisions, workdir: place, ...(await read) }, signal);
  };
  const approve: Approve = async (operation, signal) => {
    if (operation.action === 'undo' && isUndoing()) return 'allow';
    if (mode() === 'plan' && changesThings(operation.action)) return 'deny';
    if (operation.hands !== undefined) return ask(operation, signal);
    if (alwaysAsks(operation)) return ask(operation, signal);
    if (policy === 'all') return 'allow';
    if (mode() === 'edits' && (await isPlainEdit(workdir, operation))) return 'allow';
    return policy === 'reads' && readsAllowed ? reads(operation, signal) : ask(operation, signal);
  };
  const reads = allowReads(workdir, ask);
  return new HandsRunner(client, {
    client_name: 'terminal',
    whole_calls: true,
    // A chat that uses another machine does so for messages of every client.
    hands: worksHere(policy) && chat.hands === null ? hands : {},
    standby: true,
    sandbox: () => sandboxKind(commands),
    approve,
    record: own.record(client.url, workdir),
    client_id: own.client_id,
    uploads: own.uploads,
    onOperation: (operation, state) => approvals.note(operation, state),
    onError,
  });
}

/** The current file that a write would replace, and its new text. */
type FileFacts = Pick<ApprovalRequest, 'before' | 'after' | 'unreadable'>;

async function localFile(
  hands: ReturnType<typeof nodeHands>,
  workdir: string,
  operation: Operation,
  signal: AbortSignal,
): Promise<FileFacts> {
  const { path } = operation.params;
  if (operation.action !== 'write' || typeof path !== 'string') return {};
  try {
    return changeOf(operation, await hands.read({ path }, { signal, progress() {} }));
  } catch {
    return existsSync(resolve(workdir, path)) ? {} : { before: null };
  }
}

async function remoteFile(
  client: KernelClient,
  operation: Operation,
  signal: AbortSignal,
): Promise<FileFacts> {
  if (operation.action !== 'write') return {};
  const current = await readCurrentFile(client, operation, signal);
  if (current.state === 'unknown') return { unreadable: current.reason };
  return current.state === 'new' ? { before: null } : changeOf(operation, current.text);
}

function changeOf(operation: Operation, before: string): FileFacts {
  const { content } = operation.params;
  return typeof content === 'string'
    ? { before, after: textAfterWrite(operation, content, before) }
    : { before };
}
