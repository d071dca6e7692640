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
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import type { ApprovalDialogs } from './approvals.ts';

interface HandsSettings {
  chat: Chat;
  policy: 'ask' | 'reads';
  /** The absolute directory in which the hands work. */
  workdir: string;
  /** Reads go without asking only below the directory that the owner has named. */
  readsAllowed: boolean;
}

export function handsOf(
  client: KernelClient,
  approvals: ApprovalDialogs,
  { chat, policy, workdir, readsAllowed }: HandsSettings,
  onError: (error: unknown) => void,
): HandsRunner {
  const hands = nodeHands({ workdir });
  // Dialogs open in the order of their operations, however long the reading of a file takes.
  let earlier: Promise<unknown> = Promise.resolve();
  const ask: Approve = async (operation, signal) => {
    const read = earlier.then(() => fileBefore(hands, workdir, operation, signal));
    earlier = read;
    const { op_id, action, params, agent, decisions = [] } = operation;
    return approvals.ask(
      chat,
      {
        op_id,
        action,
        params,
        decisions,
        workdir:
          action === 'shell' && typeof params.workdir === 'string'
            ? resolve(workdir, params.workdir)
            : workdir,
        before: await read,
        ...(agent !== undefined && { agent }),
      },
      signal,
    );
  };
  const approve = policy === 'reads' && readsAllowed ? allowReads(workdir, ask) : ask;
  return new HandsRunner(client, { hands, approve, onError });
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
