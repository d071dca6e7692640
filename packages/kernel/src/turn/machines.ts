/**
 * Selects the client machine that a turn may work on, and asks the user to approve operations that do not run on that
 * machine.
 */
import type { JsonObject } from '@chat-kernel/protocol';
import { ClientHands } from '../client-machine/client-machine.ts';
import { consentTo, consentToAct, consentToCall } from '../client-machine/consent.ts';
import type { ApprovalContext, EditNotes } from '../client-machine/question.ts';
import { consentTimeouts } from '../client-machine/question.ts';
import type { WholeCall } from '../client-machine/whole-call.ts';
import type {
  ChatRecord,
  LocalOperation,
  NewRequest,
  OutsideAct,
  Permitted,
  RequestHandle,
  Tool,
} from '../ports/index.ts';
import { mayFetchUnasked } from './known-address.ts';
import { requestOpener } from './request-opener.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The maximum wait for the user's answer while a turn starts. */
const START_PATIENCE_SECS = 60;

type HandsServices = Pick<TurnServices, 'machines' | 'requests' | 'settings'>;

interface Options {
  request?: ((opening: NewRequest) => RequestHandle) | undefined;
  agent?: string | undefined;
  patience_secs?: number;
  whole?: WholeCall | undefined;
  /** Absent: edits are not recorded for undo. */
  edits?: EditNotes | undefined;
}

/**
 * The context for each approval request of a turn.
 * @param chat returns the current chat for each operation
 */
function approvalContext(
  turn: RunningTurn,
  chat: () => ChatRecord,
  { machines: { grants }, settings, requests }: HandsServices,
  { request = requestOpener(turn, { requests }), agent, edits, whole, patience_secs }: Options,
): Omit<ApprovalContext, 'client_id'> {
  const { client_op_timeout_secs } = settings.requests;
  const timeouts = consentTimeouts(settings.requests, turn.record.parameters);
  return {
    chat,
    agent,
    edits,
    whole,
    trusted: turn.context.trusted,
    grants,
    questions: turn.calls.questions,
    outside: () => turn.record.outside,
    scheduled: turn.record.parameters.grants,
    secret_paths: settings.tools.secret_paths,
    timeout_secs: patience_secs ?? client_op_timeout_secs,
    consent: { ...timeouts, ...(patience_secs !== undefined && { timeout_secs: patience_secs }) },
    request,
  };
}

/**
 * The client machine of a turn, else the machine that its chat names; null if there is neither. Parameters as for
 * `approvalContext`.
 */
export function clientMachine(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  options: Options = {},
): ClientHands | null {
  const { client_ops = false, client_id } = turn.record.parameters;
  const asking = approvalContext(turn, chat, services, options);
  if (client_ops) return new ClientHands({ ...asking, client_id });
  const { hands } = chat();
  if (hands === null) return null;
  return new ClientHands({
    ...asking,
    client_id: undefined,
    standby: services.machines.standby.named(hands),
  });
}

/** Asks the user before a call of the turn uses the kernel's machine, if a rule requires it (WHO-6, CONSENT-3). */
export function requestLocalConsent(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  options: Pick<Options, 'request' | 'agent' | 'whole'>,
  { operation, tool }: { operation: LocalOperation; tool: Tool },
): Promise<Permitted> {
  const asking = { ...approvalContext(turn, chat, services, options), client_id: undefined };
  return consentTo(operation, asking, tool);
}

/** Asks the user before a call as a whole, if a rule requires it (CONSENT-3, CONSENT-4). */
export function requestCallConsent(
  run: Run,
  setup: Pick<TurnSetup, 'chat' | 'tools'>,
  services: HandsServices,
  { request }: Pick<Options, 'request'>,
  { tool, input }: { tool: Tool; input: JsonObject },
): Promise<void> {
  const { turn, agent } = run;
  const asking = approvalContext(turn, () => setup.chat, services, { request, agent });
  return consentToCall(
    tool,
    input,
    { ...asking, client_id: undefined },
    {
      surface: turn.record.parameters.anchor?.module,
      isKnownAddress: address => mayFetchUnasked(run, address, setup.tools),
    },
  );
}

/**
 * Asks the user before a module performs an external action for a call of the turn.
 */
export function requestActConsent(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  { request, agent }: Pick<Options, 'request' | 'agent'>,
  act: OutsideAct,
): Promise<void> {
  const asking = approvalContext(turn, chat, services, { request, agent });
  return consentToAct(act, { ...asking, client_id: undefined });
}

/** The client machine for the time before the model runs, with a shorter timeout. */
export function handsAtStart(
  turn: RunningTurn,
  chat: ChatRecord,
  services: HandsServices,
): ClientHands | null {
  const patience_secs = Math.min(START_PATIENCE_SECS, services.settings.requests.client_op_timeout_secs);
  return clientMachine(turn, () => chat, services, { patience_secs });
}
