/** The machines that a turn may work on: its client's hands, and the consent of the owner for what is done elsewhere. */
import type { Asking, EditNotes } from '../client-machine/ask-owner.ts';
import { ClientHands } from '../client-machine/client-machine.ts';
import { consentTo, consentToAct } from '../client-machine/consent.ts';
import type { ChatRecord, NewRequest, OutsideAct, RequestHandle, ToolContext } from '../ports/index.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The longest wait for an owner while a turn starts. */
const START_PATIENCE_SECS = 60;

type HandsServices = Pick<TurnServices, 'grants' | 'machines' | 'requests' | 'settings'>;

interface Options {
  request?: ((opening: NewRequest) => RequestHandle) | undefined;
  agent?: string | undefined;
  patience_secs?: number;
  /** Absent: what is written is not for an undo. */
  edits?: EditNotes | undefined;
}

/**
 * What a turn brings to each operation that its client's owner is asked about.
 * @param chat the chat as it stands at the time of each operation
 */
function askingOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  { grants, settings, requests }: HandsServices,
  {
    request = requestOpener(turn, { requests }),
    agent,
    edits,
    patience_secs = settings.requests.client_op_timeout_secs,
  }: Options,
): Omit<Asking, 'client_id'> {
  return { chat, agent, edits, trusted: turn.context.trusted, grants, timeout_secs: patience_secs, request };
}

/**
 * The hands of the client of a turn, else those of the machine that its chat names; null where there are none.
 * Parameters as of `askingOf`.
 */
export function handsOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  options: Options = {},
): ClientHands | null {
  const { client_ops = false, client_id } = turn.record.parameters;
  const asking = askingOf(turn, chat, services, options);
  if (client_ops) return new ClientHands({ ...asking, client_id });
  const { hands } = chat();
  if (hands === null) return null;
  return new ClientHands({ ...asking, client_id: undefined, standby: services.machines.named(hands) });
}

/** Asks the owner before a call of the turn changes the kernel's own machine (WHO-6). */
export function consentOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  options: Options,
): ToolContext['consent'] {
  const asking = { ...askingOf(turn, chat, services, options), client_id: undefined };
  return change => consentTo(change, asking, chat());
}

/** Asks the owner before a module acts for a call of the turn. It waits for a person alone, as a question does. */
export function actConsentOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  services: HandsServices,
  { request, agent }: Pick<Options, 'request' | 'agent'>,
  act: OutsideAct,
): Promise<void> {
  const patience_secs = services.settings.requests.question_timeout_secs;
  const asking = askingOf(turn, chat, services, { request, agent, patience_secs });
  return consentToAct(act, { ...asking, client_id: undefined });
}

/** The hands for the time before the model runs, with less patience. */
export function handsAtStart(
  turn: RunningTurn,
  chat: ChatRecord,
  services: HandsServices,
): ClientHands | null {
  const patience_secs = Math.min(START_PATIENCE_SECS, services.settings.requests.client_op_timeout_secs);
  return handsOf(turn, () => chat, services, { patience_secs });
}
