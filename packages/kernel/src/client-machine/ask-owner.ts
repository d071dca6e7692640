/**
 * Sends the request for one operation to clients. Its answer may contain the user's decision, which can apply to later
 * ones (OP-1, OP-4, OP-5, OP-10, OP-14, HANDS-3, HANDS-6, HANDS-7). If one client decides and another party executes,
 * the decision is a request of its own (CONSENT-1).
 */
import { isLasting, type OpsResult, sandboxException, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import { COMMAND_OUTPUT } from '../consent/outside.ts';
import {
  type NewRequest,
  OperationError,
  Refused,
  type RequestChannel,
  type SandboxKind,
  Unanswered,
} from '../ports/index.ts';
import { declined, failureText, NOT_ASKED } from './answers.ts';
import { pathThere } from './client-path.ts';
import {
  type ApprovalContext,
  type OperationRequest,
  permissionFor,
  questionFor,
  type StandBy,
} from './question.ts';
import type { CallQuestion } from './whole-call.ts';

/** The output of an operation that no client answered (OP-10). */
export const NO_ANSWER = 'No answer came from the client in time.';

/**
 * Sends the operation to the clients and waits for its outcome. For an operation of the kernel, only waits for consent.
 * @throws Refused, Unanswered, OperationError with the text of the client
 */
export async function askOwner(asking: ApprovalContext, operation: OperationRequest): Promise<OpsResult> {
  const { standby } = asking;
  if (operation.on === 'server') return requestConsent(asking, operation);
  if (standby === undefined)
    return executed(asking, operation, newId(), await questionAbout(asking, operation));
  const client_id = await standby.client();
  return askStandBy({ ...asking, client_id }, operation, standby.way(client_id));
}

/**
 * The question about an operation; undefined if it runs without one. A decision about its whole call may answer it
 * already.
 * @throws Refused
 */
async function questionAbout(
  asking: ApprovalContext,
  operation: OperationRequest,
): Promise<CallQuestion | undefined> {
  const { whole, grants } = asking;
  const { action } = operation;
  const question = questionFor(asking, operation);
  if (question === undefined || whole === undefined) return question;
  const outside = [...asking.outside()];
  const known = whole.decisionFor(action, question, outside);
  if (known === undefined) return whole.ask(action, question, outside);
  if (known.isDenied) throw new Refused(declined(known.error));
  if (known.lasting !== undefined)
    await grants.give(known.lasting, permissionFor(asking, operation), { outside: known.outside });
  return undefined;
}

/** Requests consent from any client first; then the machine gets the operation with the same id (HANDS-3). */
async function askStandBy(
  asking: ApprovalContext & { client_id: string },
  operation: OperationRequest,
  { channel, failure, sandbox }: ReturnType<StandBy['way']>,
): Promise<OpsResult> {
  const id = newId();
  // A machine that does not report a sandbox may have none.
  const isFree =
    sandbox === undefined || sandbox === 'none' || sandboxException(operation.params) === 'outside_sandbox';
  await requestConsent(asking, isFree ? unconfined(operation) : operation, id, sandbox);
  try {
    return await executed(asking, operation, id, undefined, channel);
  } catch (error) {
    const reason = error instanceof Unanswered ? failure() : undefined;
    throw reason === undefined ? error : new Unanswered(reason);
  }
}

/** A command without a sandbox may send anything anywhere, as on the kernel's machine. */
function unconfined(operation: OperationRequest): OperationRequest {
  if (operation.action !== 'shell') return operation;
  const facts = { ...operation.facts, effects: ['execute', 'send'], ownSource: COMMAND_OUTPUT } as const;
  return { ...operation, source: COMMAND_OUTPUT, facts };
}

/** Waits for a decision about an operation that another party than the client executes (CONSENT-1). */
async function requestConsent(
  asking: ApprovalContext,
  operation: OperationRequest,
  id = newId(),
  sandbox?: SandboxKind,
): Promise<OpsResult> {
  if (questionFor(asking, operation) === undefined) return {};
  const request = () => sendConsentRequest(asking, operation, id, sandbox);
  const { questions } = asking;
  // No grant covers an action of a module, so its questions need not wait.
  if (questions === undefined || operation.facts?.isUnique) return request();
  return questions.run(operation.action, request);
}

async function sendConsentRequest(
  asking: ApprovalContext,
  operation: OperationRequest,
  id: string,
  sandbox: SandboxKind | undefined,
): Promise<OpsResult> {
  const question = await questionAbout(asking, operation);
  if (question === undefined) return {};
  const { decisions, reason, call } = question;
  const { agent, standby, consent = { timeout_secs: asking.timeout_secs } } = asking;
  const { action, params, on } = operation;
  const hands = on === 'server' ? null : standby?.name;
  return settled(asking, operation, {
    kind: 'op',
    event: {
      type: 'consent_request',
      id,
      op_id: id,
      action,
      ...params,
      ...(hands !== undefined && { hands }),
      ...(sandbox !== undefined &&
        action === 'shell' && { sandbox: sandboxException(params) === 'outside_sandbox' ? 'none' : sandbox }),
      decisions: [...decisions],
      reason,
      outside: [...asking.outside()],
      ...callField(asking, operation, call),
      ...(agent !== undefined && { agent }),
    },
    ...consent,
    decisions,
    ...(agent !== undefined && { agent }),
  });
}

/** Requests the execution of an operation. An edit is recorded first, whatever its outcome. */
async function executed(...args: Parameters<typeof execute>): Promise<OpsResult> {
  const [{ edits, client_id, standby }, { action, params }, op_id] = args;
  if (edits === undefined || action !== 'write') return execute(...args);
  const hands = standby?.name;
  const whose = { ...(client_id !== undefined && { client_id }), ...(hands !== undefined && { hands }) };
  await edits.begin({ op_id, path: String(params.path), ...whose });
  try {
    return await execute(...args);
  } catch (error) {
    if (error instanceof Refused) await edits.refused(op_id);
    throw error;
  }
}

/** Sends the operation to the client that executes it, which also gets the user's decision if one is needed. */
function execute(
  asking: ApprovalContext,
  operation: OperationRequest,
  id: string,
  question: CallQuestion | undefined,
  channel?: RequestChannel,
): Promise<OpsResult> {
  const { client_id, agent, standby } = asking;
  const { action, params, timeout_secs } = operation;
  const { decisions, call } = question ?? {};
  return settled(asking, operation, {
    kind: 'op',
    event: {
      type: 'client_op',
      id,
      op_id: id,
      action,
      ...params,
      ...(standby && { hands: standby.name }),
      ...(decisions && { decisions: [...decisions] }),
      ...callField(asking, operation, call),
      ...(agent !== undefined && { agent }),
      ...(client_id !== undefined && { client_id }),
    },
    timeout_secs,
    ...(decisions && { decisions }),
    ...(agent !== undefined && { agent }),
    ...(channel && { channel }),
  });
}

/** All commands or paths of a call, as its operations name them. */
function callField(
  { chat }: ApprovalContext,
  { action, on }: OperationRequest,
  call: readonly string[] | undefined,
): { call?: string[] } {
  if (call === undefined) return {};
  const isPath = on === 'client' && action !== 'shell';
  return { call: call.map(each => (isPath ? pathThere(chat().workdir, each) : each)) };
}

/** Makes one request and converts its ending. */
async function settled(
  asking: ApprovalContext,
  operation: OperationRequest,
  opening: NewRequest,
): Promise<OpsResult> {
  const permission = permissionFor(asking, operation);
  const ended = await asking.request(opening).ending;
  if (ended.reason !== 'answered') {
    if (ended.isUnsent) throw new Unanswered(NOT_ASKED);
    throw new Unanswered(ended.reason === 'expired' ? NO_ANSWER : UNFINISHED_RESULT);
  }
  const { answer } = ended;
  const { decision, error } = answer;
  if ('call' in opening.event) asking.whole?.answer(answer);
  if (decision !== undefined && isLasting(decision)) {
    // Only what the dialog showed: the turn may have read more since.
    const outside = opening.event.type === 'consent_request' ? opening.event.outside : [];
    await asking.grants.give(decision, permission, { prefix: answer.prefix, outside });
  }
  if (decision === 'deny') throw new Refused(declined(error));
  if (error !== undefined) throw new OperationError(failureText({ ...answer, error }));
  return answer;
}
