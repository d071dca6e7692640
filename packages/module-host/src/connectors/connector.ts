/** Defines how the kernel connects to a module, and the resulting channel. */
import type { ByteStreams, StreamEnd } from '@chat-kernel/json-rpc';

export interface ModuleChannel extends ByteStreams {
  /** The identity of the socket, if the channel uses one. */
  socket?: string | undefined;
  /**
   * Closes the channel and ends what the kernel started for it. Resolves with the reason of its end, as the rest of a
   * sentence.
   */
  end(how: StreamEnd): Promise<string>;
}

export interface ModuleConnector {
  /** Whether the kernel starts the module itself. It stops doing so if the module keeps crashing. */
  starts: boolean;
  /** @throws Error whose message is the rest of a sentence about the module */
  open(): Promise<ModuleChannel>;
}
