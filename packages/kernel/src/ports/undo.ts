/** Edits of files, and what the kernel's own machine keeps so that a rewind can undo them (UNDO-1). */
import type { UndoneFile } from '@chat-kernel/protocol';
import type { ChatRecord } from './store/chats.ts';

/** An edit of a file that was about to be made. */
export interface NotedEdit {
  /** The id of the operation; on the kernel's machine one of its own. */
  op_id: string;
  turn_id: string;
  /** The call of the turn itself, also where a sub-agent of it wrote. */
  call_id: string;
  /** A sub-agent of the call wrote. */
  by_agent?: true;
  path: string;
  machine: 'client' | 'server';
  /** The client that was to do it. */
  client_id?: string;
  /** The machine that stands by and was to do it. */
  hands?: string;
  /** The machine of the kernel that noted it, where that is another one. */
  kernel?: string;
}

export type UndoMode = 'preview' | 'restore';
/** What becomes of a file, as its machine says it. */
export interface MachineFile extends Omit<UndoneFile, 'machine' | 'hands'> {
  /** The edits that were asked for and have written it. */
  op_ids: string[];
}

export interface Undo {
  /** On the disk when it resolves. */
  note(chatId: string, edit: NotedEdit): Promise<void>;
  /** The owner said no: the edit was not made. */
  refused(chatId: string, opId: string): Promise<void>;
  /** The edits of a chat, the oldest first. */
  noted(chatId: string): Promise<NotedEdit[]>;
  /**
   * Previews or undoes edits of the kernel's machine. Where something stands against one file, none is touched.
   * @param edits the oldest first
   */
  undo(chat: ChatRecord, mode: UndoMode, edits: readonly NotedEdit[]): Promise<MachineFile[]>;
  /** Forgets all of a chat. */
  forget(chatId: string): Promise<void>;
}

/** For a kernel that keeps nothing. */
export const NO_UNDO: Undo = {
  async note() {},
  async refused() {},
  noted: async () => [],
  undo: async () => [],
  async forget() {},
};
