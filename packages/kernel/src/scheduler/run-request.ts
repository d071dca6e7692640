/** The message that a schedule sends, as if its owner had. */
import type { TurnRequest } from '@chat-kernel/protocol';
import type { ChatRecord, ScheduleRecord } from '../ports/index.ts';

/**
 * Nobody may be there, so the turn asks no questions; and it touches the kernel's machine only where its owner has put the
 * chat there.
 */
export function runRequest(
  { text, model, effort }: ScheduleRecord,
  chat: Pick<ChatRecord, 'workdir_on'>,
  dueAt: string,
): TurnRequest {
  return {
    text,
    context: `This message comes by itself, from a schedule of the user, who may not be here now. It was due at ${dueAt}.`,
    machine: chat.workdir_on === 'server' ? 'auto' : 'none',
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    on_busy: 'queue',
  };
}
