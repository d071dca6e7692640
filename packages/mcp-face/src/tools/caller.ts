/** Defines the caller of a tool: the resources that the tool may use on its behalf. */
import type { Chat, KernelClient, PendingCancels } from '@chat-kernel/client';

export interface Caller {
  /** With the credentials of the caller. */
  kernel: KernelClient;
  stops: PendingCancels;
  /** The consent of new chats. */
  consent: Chat['consent'];
  /** Aborted when the kernel is closed. */
  closing: AbortSignal;
}
