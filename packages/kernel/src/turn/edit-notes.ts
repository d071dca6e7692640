/** Records edits of a turn's calls before they are made, so that a rewind can undo them (UNDO-1). */
import { newId } from '../base/ids.ts';
import type { EditNotes } from '../client-machine/question.ts';
import type { NotedEdit } from '../ports/index.ts';
import type { Run } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

interface OwnNotes extends EditNotes {
  /** Records an edit on the kernel's machine; resolves with its id. */
  onServer(path: string): Promise<string>;
}

/**
 * The recorder for the edits of one call. If an edit cannot be recorded, for example on a full disk, it is made anyway.
 */
export function createEditNotes(
  { turn, lead_call }: Run,
  callId: string,
  { machines: { undo }, log }: Pick<TurnServices, 'log' | 'machines'>,
): OwnNotes {
  const { id: turn_id, chat_id } = turn.record;
  const call_id = lead_call ?? callId;
  const failed = (error: unknown) =>
    log.warn({ err: error, turn_id }, 'recording an edit failed; rewinding will not undo it');
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
