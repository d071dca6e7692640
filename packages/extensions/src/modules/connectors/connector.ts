/** A way to a module, and what is open on it. */
import type { Readable, Writable } from 'node:stream';
import type { PeerEnd } from '../../jsonrpc/index.ts';

export interface Channel {
  readable: Readable;
  writable: Writable;
  /** Which socket it goes through. */
  socket?: string | undefined;
  /** Lets go of it, and ends what the kernel has started for it. Answers why it ended, as the rest of a sentence. */
  end(how: PeerEnd): Promise<string>;
}

export interface Way {
  /** The kernel starts the module itself: one that keeps crashing is given up. */
  starts: boolean;
  /** @throws Error whose message is the rest of a sentence about the module */
  open(): Promise<Channel>;
}
