/** Event ids of turns, `{turn_id}.{n}`: the places in logs at which readers go on. */
import type { FrameLog } from './frame-log.ts';

/** The turn and the number of an event. */
export interface EventPosition {
  turn_id: string;
  n: number;
}

export const eventId = ({ turn_id, n }: EventPosition): string => `${turn_id}.${n}`;

/** The turn and the number that an event id names; undefined for what is no event id. */
export function eventPosition(id: string | undefined): EventPosition | undefined {
  const match = /^([0-9a-f-]{36})\.(\d{1,15})$/.exec(id ?? '');
  return match ? { turn_id: match[1] as string, n: Number(match[2]) } : undefined;
}

/** The position behind an event. It is 0, the start, where the event is of another turn or of an earlier log. */
export function positionBehind(log: FrameLog, seen: EventPosition): number {
  if (seen.turn_id !== log.turn_id) return 0;
  const n = seen.n - log.base;
  return n >= 0 && n < log.frames.length ? n + 1 : 0;
}

/** The position behind an event id; 0, the start, also for an id that is malformed. */
export function positionAfter(log: FrameLog, after: string | undefined): number {
  const seen = eventPosition(after);
  return seen ? positionBehind(log, seen) : 0;
}
