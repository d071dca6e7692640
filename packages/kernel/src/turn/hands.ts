/** The hands of the client that a turn runs for. */
import { ClientHands } from '../client-machine/client-machine.ts';
import type { ChatRecord, OpenRequest, RequestOpening } from '../ports/index.ts';
import { asker } from './requester.ts';
import type { RunningTurn, Workshop } from './running.ts';

/** How long the start of a turn waits for an owner to decide. */
const START_PATIENCE_SECS = 60;

type Surroundings = Pick<Workshop, 'grants' | 'requests' | 'settings'>;

/** Null: nobody with hands is there. @param chat as it stands when asked */
export function handsOf(
  turn: RunningTurn,
  chat: () => ChatRecord,
  { grants, settings, requests }: Surroundings,
  {
    request = asker(turn, { requests }),
    agent,
    patience_secs = settings.client_op_timeout_secs,
  }: {
    request?: ((opening: RequestOpening) => OpenRequest) | undefined;
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
    trusted: turn.trusted,
    grants,
    timeout_secs: patience_secs,
    request,
  });
}

/** The same, for what happens before the model runs. */
export function handsAtStart(
  turn: RunningTurn,
  chat: ChatRecord,
  workshop: Surroundings,
): ClientHands | null {
  const patience_secs = Math.min(START_PATIENCE_SECS, workshop.settings.client_op_timeout_secs);
  return handsOf(turn, () => chat, workshop, { patience_secs });
}

/** Whether the tools of a turn work on its client's machine: there are hands, and the chat does not work elsewhere. */
export const worksOnClient = (
  { client_ops = false }: { client_ops?: boolean | undefined },
  { workdir_on }: Pick<ChatRecord, 'workdir_on'>,
): boolean => client_ops && workdir_on === 'client';
