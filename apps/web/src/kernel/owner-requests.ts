/** Finds the open requests that the user of this page can answer. */
import type { PendingRequest } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { useKernel } from './context.ts';

/** The chat id of requests from the kernel itself. */
export const KERNEL_CHAT_ID = '00000000-0000-0000-0000-000000000000';

/** False for operations that need no decision, and for extra tools, which their client runs. */
const isForOwner = ({ event }: PendingRequest): boolean =>
  event.type === 'tool_call' ||
  event.type === 'consent_request' ||
  (event.type === 'client_op' && event.decisions !== undefined);

/** Returns the requests of all chats that wait for the user, oldest first. */
export const useOwnerRequests = (): readonly PendingRequest[] =>
  useStore(useKernel().requests).filter(isForOwner);
