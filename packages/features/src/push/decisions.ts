/** Selects the requests that can be decided from a notification, without seeing anything else (PUSH-2). */
import type { PushNotification } from '@chat-kernel/protocol';
import { operationParams, type PendingRequest } from '@chat-kernel/protocol';
import { requestText, shortText } from './text.ts';

type Decided = Pick<PushNotification, 'decisions' | 'reason' | 'workdir'>;
/** The parts of a command that a notification shows, including its time limit. */
const OF_COMMAND = ['command', 'workdir', 'timeout_secs'];
/** With one of these characters a text can look like another one. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Empty if the request is not an approval. */
export function decidedBy(request: PendingRequest): Decided {
  const { event } = request;
  if (event.type !== 'client_op' && event.type !== 'consent_request') return {};
  const { workdir, decisions: offered } = event as { workdir?: unknown; decisions?: string[] };
  if (offered === undefined) return {};
  const decisions = ['allow', 'deny'] as const;
  return {
    ...(typeof workdir === 'string' && { workdir: shortText(workdir) }),
    ...(event.type === 'consent_request' && { reason: shortText(event.reason) }),
    decisions: decisions.filter(each => offered.includes(each) && (each === 'deny' || showsAll(request))),
  };
}

/**
 * True if the notification contains all that would run, to the character: a command of the kernel's own machine, or of
 * a stand-by machine. No notification contains the content of a file to write. An operation of another client is
 * approved where that client runs.
 */
function showsAll(request: PendingRequest): boolean {
  const { type, action, command, workdir, outside } = request.event as Record<string, unknown>;
  if (type !== 'consent_request' || action !== 'shell') return false;
  // A notification does not show what the turn has read.
  if ((outside as string[]).length > 0) return false;
  const isKnown = Object.keys(operationParams(request.event)).every(name => OF_COMMAND.includes(name));
  return (
    isKnown && isShown(`shell: ${command}`, requestText(request)) && isShown(workdir, shortText(`${workdir}`))
  );
}

const isShown = (text: unknown, shown: string): boolean => text === shown && !UNSEEN.test(shown);
