/** What a reader makes of a file: conversations as the kernel takes them, and those that nobody can read. */
import type { ImportChat } from '@chat-kernel/protocol';

/** What could not come along, by its name, and how often; each has a note in its place. */
export type LeftOut = Map<string, number>;

export type Incoming = { index: number; title: string | null } & (
  | {
      kind: 'chat';
      chat: ImportChat;
      leftOut: LeftOut;
      /** Bytes that it takes in the export, and its pictures as text. */
      size: number;
    }
  /** Nothing was said in it. */
  | { kind: 'empty' }
  | { kind: 'broken'; reason: string }
);

/** Reads the bytes of a picture of the export; undefined where they are not there. */
export type Pictures = (id: string) => Promise<Uint8Array | undefined>;

/** A conversation that is not as its program writes them. The message says what is wrong with it. */
export class BrokenConversation extends Error {
  override readonly name = 'BrokenConversation';
}

/** A file in which there is nothing to import. The message is for people. */
export class NothingToImport extends Error {
  override readonly name = 'NothingToImport';
}
