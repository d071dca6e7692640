/** Defines the results of a reader: conversations for the kernel, and those that cannot be read. */
import type { ImportChat } from '@chat-kernel/protocol';

/** Omitted content, by name and number; a note replaces each. */
export type LeftOut = Map<string, number>;

export type Incoming = { index: number; title: string | null } & (
  | {
      kind: 'chat';
      chat: ImportChat;
      leftOut: LeftOut;
      /** Its size in the export in bytes, and the size of its pictures as text. */
      size: number;
    }
  /** It has no messages. */
  | { kind: 'empty' }
  | { kind: 'broken'; reason: string }
);

/** Reads the bytes of a picture of the export; undefined if the export does not contain it. */
export type Pictures = (id: string) => Promise<Uint8Array | undefined>;

/** A conversation that does not have the format of its program. The message describes the mistake. */
export class BrokenConversation extends Error {
  override readonly name = 'BrokenConversation';
}

/** A file without anything to import. The message is for users. */
export class NothingToImport extends Error {
  override readonly name = 'NothingToImport';
}
