/**
 * The request for one operation: it goes to clients, and its answer may hold the owner's decision, which can count for
 * later ones (OP-1, OP-4, OP-5, OP-10, OP-14, HANDS-3, HANDS-6, HANDS-7).
 */
import {
  DECISIONS,
  LASTING,
  type Lasting,
  type OpsResult,
  prefixWords,
  UNFINISHED_RESULT,
} from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import {
  type ChatRecord,
  type NewRequest,
  type NotedEdit,
  OperationError,
  Refused,
  type RequestChannel,
  type RequestHandle,
  Unanswered,
} from '../ports/index.ts';
import { errorWords, failureText } from './answers.ts';
import { type Grants, isEditOf, type Permission } from './grants.ts';

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
  /** The machine that stands by and is to execute, in the place of a client that reads the turn's stream. */
  standby?: StandBy | undefined;
  /** The sub-agent that asks (OP-7). */
  agent?: string | undefined;
  /** True where the master or a trusted person speaks. For others grants do not count, and they leave none behind. */
  trusted: boolean;
  grants: Grants;
  /** Is told of each write before it is asked for; absent: what is written is not for an undo. */
  edits?: EditNotes | undefined;
  /** The time in seconds that an operation may wait for a person to decide. */
  timeout_secs: number;
  request(opening: NewRequest): RequestHandle;
}

/** Notes of the edits that a call makes on a client's machine (UNDO-1). */
export interface EditNotes {
  begin(edit: Pick<NotedEdit, 'op_id' | 'path' | 'client_id' | 'hands'>): Promise<void>;
  refused(opId: string): Promise<void>;
}

/** A machine that stands by, as operations reach it. */
export interface StandBy {
  readonly name: string;
  /** Its client, once it has been here. @throws Unanswered where it does not come in time */
  client(): Promise<string>;
  /** The way of one operation. `failure`: why it came to nothing, where it was not the time. */
  way(clientId: string): { channel: RequestChannel; failure(): string | undefined };
}

export interface AskedOperation {
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** `server`: the kernel executes, once the owner allows it. */
  on: 'client' | 'server';
  timeout_secs: number;
  /** No owner is asked: it reads names alone, or is a part of what was allowed as a whole. */
  silent?: boolean;
  /** The owner is asked each time: no grant counts, and none is left behind. */
  once?: true;
}

/** Where a grant covers the operation, or no owner has to be asked: undefined. */
export function decisionsFor(asking: Asking, operation: AskedOperation): readonly string[] | undefined {
  if (operation.silent) return undefined;
  if (operation.once || !asking.trusted)
    return DECISIONS.filter(decision => decision === 'allow' || decision === 'deny');
  const permission = permissionFor(asking, operation);
  if (asking.grants.covers(permission)) return undefined;
  const more = furtherDecisions(permission);
  return DECISIONS.flatMap(decision => (decision === 'deny' ? [...more, decision] : [decision]));
}

/** The decisions that older clients skip (HANDS-7). */
function furtherDecisions(permission: Permission): string[] {
  const { command } = permission;
  if (command !== undefined && prefixWords(command).length > 0) return ['allow_prefix'];
  return isEditOf(permission) ? ['allow_edits'] : [];
}

/**
 * Sends the operation to the clients and waits for what becomes of it.
 * @throws Refused, Unanswered, OperationError in the words of the client
 */
export async function askOwner(asking: Asking, operation: AskedOperation): Promise<OpsResult> {
  const { standby } = asking;
  if (standby === undefined) return executed(asking, operation, newId(), decisionsFor(asking, operation));
  const client_id = await standby.client();
  return askStandBy({ ...asking, client_id }, operation, standby.way(client_id));
}

/** Consent comes first, from any client; then the machine gets the operation under the same id (HANDS-3). */
async function askStandBy(
  asking: Asking & { client_id: string },
  operation: AskedOperation,
  { channel, failure }: ReturnType<StandBy['way']>,
): Promise<OpsResult> {
  const id = newId();
  const decisions = decisionsFor(asking, operation);
  if (decisions) await decided(asking, { ...operation, timeout_secs: asking.timeout_secs }, id, decisions);
  try {
    return await executed(asking, operation, id, undefined, channel);
  } catch (error) {
    const reason = error instanceof Unanswered ? failure() : undefined;
    throw reason === undefined ? error : new Unanswered(reason);
  }
}

/** The request that has an operation done. An edit is noted first, whatever becomes of it. */
async function executed(...args: Parameters<typeof decided>): Promise<OpsResult> {
  const [{ edits, client_id, standby }, { action, params, on }, op_id] = args;
  if (edits === undefined || action !== 'write' || on !== 'client') return decided(...args);
  const hands = standby?.name;
  const whose = { ...(client_id !== undefined && { client_id }), ...(hands !== undefined && { hands }) };
  await edits.begin({ op_id, path: String(params.path), ...whose });
  try {
    return await decided(...args);
  } catch (error) {
    if (error instanceof Refused) await edits.refused(op_id);
    throw error;
  }
}

/** One request, and what its ending means. */
async function decided(
  asking: Asking,
  operation: AskedOperation,
  id: string,
  decisions: readonly string[] | undefined,
  channel?: RequestChannel,
): Promise<OpsResult> {
  const { client_id, agent, standby } = asking;
  const { action, params, on, timeout_secs } = operation;
  const permission = permissionFor(asking, operation);
  const hands = on === 'server' ? null : standby?.name;
  const { ending } = asking.request({
    kind: 'op',
    event: {
      type: 'client_op',
      id,
      op_id: id,
      action,
      ...params,
      ...(hands !== undefined && { hands }),
      ...(decisions && { decisions: [...decisions] }),
      ...(agent !== undefined && { agent }),
      ...(client_id !== undefined && { client_id }),
    },
    timeout_secs,
    ...(decisions && { decisions }),
    ...(agent !== undefined && { agent }),
    ...(channel && { channel }),
  });
  const ended = await ending;
  if (ended.reason !== 'answered') {
    throw new Unanswered(ended.reason === 'expired' ? NO_ANSWER : UNFINISHED_RESULT);
  }
  const { answer } = ended;
  const { decision, error } = answer;
  if (isLasting(decision)) await asking.grants.give(decision, permission, answer.prefix);
  // An error that is left out and one that is empty both say nothing: the model then reads the canonical refusal.
  if (decision === 'deny') throw new Refused(error?.trim() ? errorWords(error) : REFUSAL);
  if (error !== undefined) throw new OperationError(failureText({ ...answer, error }));
  return answer;
}

const isLasting = (decision: string | undefined): decision is Lasting =>
  (LASTING as readonly (string | undefined)[]).includes(decision);

/** What a yes for the operation would cover: this action, by this client, on this machine, in this directory (HANDS-6). */
function permissionFor(
  { chat, client_id, standby }: Asking,
  { action, params, on }: AskedOperation,
): Permission {
  const { id: chat_id, workdir } = chat();
  const command = action === 'shell' ? String(params.command) : undefined;
  const path = typeof params.path === 'string' ? params.path : undefined;
  const hands = on === 'client' ? standby?.name : undefined;
  return { chat_id, action, command, path, workdir, workdir_on: on, client_id, hands };
}
