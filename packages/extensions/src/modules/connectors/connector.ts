/** How the kernel reaches a module, and the channel that it gets. */
import type { ByteStreams, StreamEnd } from '@chat-kernel/json-rpc';

export interface ModuleChannel extends ByteStreams {
  /** The identity of the socket, where the channel goes through one. */
  socket?: string | undefined;
  /** Closes the channel and ends what the kernel started for it. Resolves with why it ended, as the rest of a sentence. */
  end(how: StreamEnd): Promise<string>;
}

export interface ModuleConnector {
  /** The kernel starts the module itself. It stops doing so when the module keeps crashing. */
  starts: boolean;
  /** @throws Error whose message is the rest of a sentence about the module */
  open(): Promise<ModuleChannel>;
}
