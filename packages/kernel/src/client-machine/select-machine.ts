/** Selects the client machine that a turn works on (HANDS-2). */
import type { ChatRecord, TurnParameters } from '../ports/index.ts';

type Turn = Pick<TurnParameters, 'client_ops' | 'machine'>;
type Place = Pick<ChatRecord, 'workdir_on' | 'hands'>;

/**
 * `own`: the machine of the client that started the turn; `standby`: the one that the chat names; null: no client
 * machine.
 */
export function selectMachine(
  { client_ops = false, machine }: Turn,
  { workdir_on, hands }: Place,
): 'own' | 'standby' | null {
  if (machine === 'none' || workdir_on !== 'client') return null;
  if (client_ops) return 'own';
  return hands === null ? null : 'standby';
}

/** Whether the tools of a turn work on a client's machine. */
export const runsOnClient = (turn: Turn, place: Place): boolean => selectMachine(turn, place) !== null;
