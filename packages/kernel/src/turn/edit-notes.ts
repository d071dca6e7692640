/** What the calls of a turn write is noted before they do, so that a rewind finds it (UNDO-1). */
import { newId } from '../base/ids.ts';
import type { EditNotes } from '../client-machine/ask-owner.ts';
import type { NotedEdit } from '../ports/index.ts';
import type { Run } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

interface OwnNotes extends EditNotes {
  /** Notes an edit on the kernel's machine; resolves with its id. */
  onServer(path: string): Promise<string>;
}

/** The notes of one call. What cannot be noted, such as on a full disk, is written all the same. */
export function editNotesOf(
  { turn, lead_call }: Run,
  callId: string,
  { undo, log }: Pick<TurnServices, 'log' | 'undo'>,
): OwnNotes {
  const { id: turn_id, chat_id } = turn.record;
  const call_id = lead_call ?? callId;
  const failed = (error: unknown) =>
    log.warn({ err: error, turn_id }, 'an edit could not be noted: no rewind will undo it');
  const note = (edit: Omit<NotedEdit, 'turn_id' | 'call_id' | 'by_agent'>) =>
    undo
      .note(chat_id, { turn_id, call_id, ...(lead_call !== undefined && { by_agent: true }), ...edit })
      .catch(failed);
  return {
    begin: edit => note({ machine: 'client', ...edit }),
    refused: opId => undo.refused(chat_id, opId).catch(failed),
    async onServer(path) {
      const op_id = newId();
      await note({ machine: 'server', op_id, path });
      return op_id;
    },
  };
}
