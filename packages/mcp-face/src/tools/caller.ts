/** Who calls a tool: what the tool may use in the name of its caller. */
import type { KernelClient, Stops } from '@chat-kernel/client';

export interface Caller {
  /** With the credentials of the caller. */
  kernel: KernelClient;
  stops: Stops;
  /** Aborted when the kernel is closed. */
  closing: AbortSignal;
}
