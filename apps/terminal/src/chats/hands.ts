/** The hands of one chat: what this machine does for the model, in which directory, and with whose consent. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Approve,
  allowReads,
  type Chat,
  HandsRunner,
  type KernelClient,
  type Operation,
  type OwnRecord,
  type OwnUploads,
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import { type HandsPolicy, worksHere } from '../machine/hands-policy.ts';
import { changesThings, guarded, isPlainEdit, type Mode } from '../machine/modes.ts';
import { undoHere } from '../machine/state-directory.ts';
import type { ApprovalDialogs } from './approvals.ts';

/** This terminal as a client. */
export interface Own {
  readonly client_id: string;
  /** The files that it has sent along. */
  readonly uploads: OwnUploads;
  record(kernel: string, workdir: string): OwnRecord;
}

interface HandsSettings {
  chat: Chat;
  policy: HandsPolicy;
  own: Own;
  /** The absolute directory in which the hands work. */
  workdir: string;
  /** Reads go without asking only below the directory that the owner has named. */
  readsAllowed: boolean;
  mode: () => Mode;
  /** Whether the owner is going back in this terminal, with the files. */
  isUndoing: () => boolean;
}

/** The runner has no hands where the chat works elsewhere: it then asks about the kernel's own machine alone. */
export function handsOf(
  client: KernelClient,
  approvals: ApprovalDialogs,
  { chat, policy, own, workdir, readsAllowed, mode, isUndoing }: HandsSettings,
  onError: (error: unknown) => void,
): HandsRunner {
  const within = policy === 'all' ? ['/'] : [workdir];
  const hands = guarded(nodeHands({ workdir, within, undo: undoHere(client.url) }), mode);
  // Dialogs open in the order of their operations, however long the reading of a file takes.
  let earlier: Promise<unknown> = Promise.resolve();
  const ask: Approve = async (operation, signal) => {
    const { op_id, action, params, agent, sandbox, decisions = [] } = operation;
    const onKernel = operation.hands === null;
    const isElsewhere = operation.hands !== undefined;
    const read = earlier.then(() =>
      isElsewhere ? undefined : fileBefore(hands, workdir, operation, signal),
    );
    earlier = read;
    const given = typeof params.workdir === 'string' ? params.workdir : undefined;
    return approvals.ask(
      chat,
      {
        op_id,
        action,
        params,
        decisions,
        on_kernel: onKernel,
        ...(typeof operation.hands === 'string' && { machine: operation.hands }),
        workdir: isElsewhere ? (given ?? null) : resolve(workdir, given ?? '.'),
        before: await read,
        ...(agent !== undefined && { agent }),
        ...(sandbox !== undefined && { sandbox }),
      },
      signal,
    );
  };
  const approve: Approve = async (operation, signal) => {
    if (operation.action === 'undo' && isUndoing()) return 'allow';
    if (mode() === 'plan' && changesThings(operation.action)) return 'deny';
    if (operation.hands !== undefined) return ask(operation, signal);
    if (policy === 'all') return 'allow';
    if (mode() === 'edits' && (await isPlainEdit(workdir, operation))) return 'allow';
    return policy === 'reads' && readsAllowed ? reads(operation, signal) : ask(operation, signal);
  };
  const reads = allowReads(workdir, ask);
  return new HandsRunner(client, {
    // A chat that acts on a machine that stands by does so whoever speaks in it.
    hands: worksHere(policy) && chat.hands === null ? hands : {},
    standby: true,
    approve,
    record: own.record(client.url, workdir),
    client_id: own.client_id,
    uploads: own.uploads,
    onOperation: (operation, state) => approvals.note(operation, state),
    onError,
  });
}

/** Reads the file that a write would replace; null where there is none, undefined where it cannot be shown. */
async function fileBefore(
  hands: ReturnType<typeof nodeHands>,
  workdir: string,
  { action, params: { path } }: Operation,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  if (action !== 'write' || typeof path !== 'string') return null;
  const readable = hands.read({ path }, { signal, progress() {} });
  return readable.catch(() => (existsSync(resolve(workdir, path)) ? undefined : null));
}
