/**
 * The request for one operation: it goes to clients, and its answer may hold the owner's decision, which can count for
 * later ones (OP-1, OP-4, OP-5, OP-10, OP-14, HANDS-6).
 */
import { DECISIONS, type OpsResult, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import {
  type ChatRecord,
  type NewRequest,
  OperationError,
  Refused,
  type RequestHandle,
  Unanswered,
} from '../ports/index.ts';
import { errorWords, failureText } from './answers.ts';
import type { Grants, Permission } from './grants.ts';

/** The output of an operation that its owner refused without a word of his own (OP-5). */
const REFUSAL = 'The user declined this operation.';
/** The output of an operation that no client answered (OP-10). */
export const NO_ANSWER = 'No answer came from the client in time.';

/** What a turn brings to all of its operations. */
export interface Asking {
  /** The chat as it stands now: an earlier call of the turn may have changed it. */
  chat(): Pick<ChatRecord, 'id' | 'workdir'>;
  /** The client that is to execute; undefined: any client with hands (EV-15), or the kernel itself. */
  client_id: string | undefined;
  /** The sub-agent that asks (OP-7). */
  agent?: string | undefined;
  /** True where the master or a trusted person speaks. For others grants do not count, and they leave none behind. */
  trusted: boolean;
  grants: Grants;
  /** The time in seconds that an operation may wait for a person to decide. */
  timeout_secs: number;
  request(opening: NewRequest): RequestHandle;
}

export interface AskedOperation {
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** `server`: the kernel executes, once the owner allows it. */
  on: 'client' | 'server';
  timeout_secs: number;
  /** No owner is asked: it reads names alone, or is a part of what was allowed as a whole. */
  silent?: boolean;
}

/** Where a grant covers the operation, or no owner has to be asked: undefined. */
export function decisionsFor(asking: Asking, operation: AskedOperation): readonly string[] | undefined {
  if (operation.silent) return undefined;
  if (!asking.trusted) return DECISIONS.filter(decision => decision === 'allow' || decision === 'deny');
  return asking.grants.covers(permissionFor(asking, operation)) ? undefined : DECISIONS;
}

/**
 * Sends the operation to the clients and waits for what becomes of it.
 * @throws Refused, Unanswered, OperationError in the words of the client
 */
export async function askOwner(asking: Asking, operation: AskedOperation): Promise<OpsResult> {
  const { client_id, agent } = asking;
  const { action, params, on, timeout_secs } = operation;
  const id = newId();
  const decisions = decisionsFor(asking, operation);
  const permission = permissionFor(asking, operation);
  const { ending } = asking.request({
    kind: 'op',
    event: {
      type: 'client_op',
      id,
      op_id: id,
      action,
      ...params,
      ...(on === 'server' && { hands: null }),
      ...(decisions && { decisions: [...decisions] }),
      ...(agent !== undefined && { agent }),
      ...(client_id !== undefined && { client_id }),
    },
    timeout_secs,
    ...(decisions && { decisions }),
    ...(agent !== undefined && { agent }),
  });
  const ended = await ending;
  if (ended.reason !== 'answered') {
    throw new Unanswered(ended.reason === 'expired' ? NO_ANSWER : UNFINISHED_RESULT);
  }
  const { answer } = ended;
  const { decision, error } = answer;
  if (decision === 'allow_session' || decision === 'allow_always') {
    await asking.grants.give(decision, permission);
  }
  // An error that is left out and one that is empty both say nothing: the model then reads the canonical refusal.
  if (decision === 'deny') throw new Refused(error?.trim() ? errorWords(error) : REFUSAL);
  if (error !== undefined) throw new OperationError(failureText({ ...answer, error }));
  return answer;
}

/** What a yes for the operation would cover: this action, by this client, on this machine, in this directory (HANDS-6). */
function permissionFor({ chat, client_id }: Asking, { action, params, on }: AskedOperation): Permission {
  const { id: chat_id, workdir } = chat();
  const command = action === 'shell' ? String(params.command) : undefined;
  return { chat_id, action, command, workdir, workdir_on: on, client_id };
}
