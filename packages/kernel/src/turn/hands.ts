/** The hands of the client that a turn runs for. */
import { ClientHands } from '../client-machine/client-machine.ts';
import type { ChatRecord, NewRequest, RequestHandle } from '../ports/index.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The longest wait for an owner while a turn starts. */
const START_PATIENCE_SECS = 60;

type HandsServices = Pick<TurnServices, 'grants' | 'requests' | 'settings'>;

/**
 * The hands of the client of a turn; null where it has none.
 * @param chat the chat as it stands at the time of each operation
 */
export function handsOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  { grants, settings, requests }: HandsServices,
  {
    request = requestOpener(turn, { requests }),
    agent,
    patience_secs = settings.requests.client_op_timeout_secs,
  }: {
    request?: ((opening: NewRequest) => RequestHandle) | undefined;
    agent?: string | undefined;
    patience_secs?: number;
  } = {},
): ClientHands | null {
  const { client_ops = false, client_id } = turn.record.parameters;
  if (!client_ops) return null;
  return new ClientHands({
    chat,
    client_id,
    agent,
    trusted: turn.context.trusted,
    grants,
    timeout_secs: patience_secs,
    request,
  });
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

/** Whether the tools of a turn work on its client's machine: the client has hands, and the chat works there. */
export const worksOnClient = (
  { client_ops = false }: { client_ops?: boolean | undefined },
  { workdir_on }: Pick<ChatRecord, 'workdir_on'>,
): boolean => client_ops && workdir_on === 'client';
