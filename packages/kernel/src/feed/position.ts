/** Parses event ids of turns, `{turn_id}.{n}`: the log positions at which readers resume. */
import type { FrameLog } from './frame-log.ts';

export interface EventPosition {
  turn_id: string;
  n: number;
}

export const eventId = ({ turn_id, n }: EventPosition): string => `${turn_id}.${n}`;

/** The turn and the number that an event id names; undefined if the text is not an event id. */
export function eventPosition(id: string | undefined): EventPosition | undefined {
  const match = /^([0-9a-f-]{36})\.(\d{1,15})$/.exec(id ?? '');
  return match ? { turn_id: match[1] as string, n: Number(match[2]) } : undefined;
}

/** The position after an event. It is 0, the start, if the event belongs to another turn or an earlier log. */
export function positionBehind(log: FrameLog, seen: EventPosition): number {
  if (seen.turn_id !== log.turn_id) return 0;
  const n = seen.n - log.base;
  return n >= 0 && n < log.frames.length ? n + 1 : 0;
}

/** The position after an event id; 0, the start, also for a malformed id. */
export function positionAfter(log: FrameLog, after: string | undefined): number {
  const seen = eventPosition(after);
  return seen ? positionBehind(log, seen) : 0;
}
