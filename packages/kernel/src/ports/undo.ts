/**
 * Defines edits of files, and the states that the kernel's own machine stores so that a rewind can undo them (UNDO-1).
 */
import type { UndoneFile } from '@chat-kernel/protocol';
import type { ChatRecord } from './store/chats.ts';

/** An edit of a file that was about to be made. */
export interface NotedEdit {
  /** The id of the operation; on the kernel's machine a separate id. */
  op_id: string;
  turn_id: string;
  /** The call of the turn itself, even if one of its sub-agents wrote. */
  call_id: string;
  /** True if a sub-agent of the call wrote. */
  by_agent?: true;
  path: string;
  machine: 'client' | 'server';
  /** The client that was supposed to make it. */
  client_id?: string;
  /** The stand-by machine that was supposed to make it. */
  hands?: string;
  /** The machine of the kernel that recorded it, if that is another one. */
  kernel?: string;
}

export type UndoMode = 'preview' | 'restore';
/** The outcome for a file, as reported by its machine. */
export interface MachineFile extends Omit<UndoneFile, 'machine' | 'hands'> {
  /** The requested edits that have written it. */
  op_ids: string[];
}

export interface Undo {
  /** The edit is on disk when this resolves. */
  note(chatId: string, edit: NotedEdit): Promise<void>;
  /** Removes an edit that was not made because the user denied it. */
  refused(chatId: string, opId: string): Promise<void>;
  /** The edits of a chat, oldest first. */
  noted(chatId: string): Promise<NotedEdit[]>;
  /**
   * Previews or undoes edits of the kernel's machine. If a problem prevents the undo of one file, no file is changed.
   * @param edits the edits, oldest first
   */
  undo(chat: ChatRecord, mode: UndoMode, edits: readonly NotedEdit[]): Promise<MachineFile[]>;
  /** Deletes all data of a chat. */
  forget(chatId: string): Promise<void>;
}

/** For a kernel that stores no edits. */
export const NO_UNDO: Undo = {
  async note() {},
  async refused() {},
  noted: async () => [],
  undo: async () => [],
  async forget() {},
};
