/** The hands of the client that a turn runs for. */
import { ClientHands } from '../client-machine/client-machine.ts';
import type { ChatRecord, NewRequest, RequestHandle } from '../ports/index.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** How long the start of a turn waits for an owner to decide. */
const START_PATIENCE_SECS = 60;

type HandsServices = Pick<TurnServices, 'grants' | 'requests' | 'settings'>;

/** Null: nobody with hands is there. @param chat as it stands when asked */
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

/** The same, for what happens before the model runs. */
export function handsAtStart(
  turn: RunningTurn,
  chat: ChatRecord,
  services: HandsServices,
): ClientHands | null {
  const patience_secs = Math.min(START_PATIENCE_SECS, services.settings.requests.client_op_timeout_secs);
  return handsOf(turn, () => chat, services, { patience_secs });
}

/** Whether the tools of a turn work on its client's machine: there are hands, and the chat does not work elsewhere. */
export const worksOnClient = (
  { client_ops = false }: { client_ops?: boolean | undefined },
  { workdir_on }: Pick<ChatRecord, 'workdir_on'>,
): boolean => client_ops && workdir_on === 'client';
