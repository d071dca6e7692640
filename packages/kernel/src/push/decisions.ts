/** What may be decided by a word alone, by somebody who sees nothing but the word (PUSH-2). */
import type { PendingRequest, PushWord } from '@chat-kernel/protocol';
import { requestText, shortText } from './text.ts';

type Decided = Pick<PushWord, 'decisions' | 'workdir'>;
/** What belongs to the request, and not to the operation. */
const OF_REQUEST = [
  'type',
  'id',
  'op_id',
  'action',
  'decisions',
  'agent',
  'client_id',
  'hands',
  'sandbox',
  'replayed',
];
/** What the word shows of a command, and the time that it may take. */
const OF_COMMAND = ['command', 'workdir', 'timeout_secs'];
/** With one of these a text can look like another one. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Empty where the request is no approval. */
export function decidedBy(request: PendingRequest): Decided {
  const { event } = request;
  if (event.type !== 'client_op' || event.decisions === undefined) return {};
  const { workdir, decisions: offered } = event as { workdir?: unknown; decisions: string[] };
  const decisions = ['allow', 'deny'] as const;
  return {
    ...(typeof workdir === 'string' && { workdir: shortText(workdir) }),
    decisions: decisions.filter(each => offered.includes(each) && (each === 'deny' || showsAll(request))),
  };
}

/**
 * True where the word holds all that would run, to the character: a command of the kernel's own machine, or of one that
 * stands by. What is written into a file is in no word, and what another client would do is allowed where that client runs.
 */
function showsAll(request: PendingRequest): boolean {
  const { action, command, workdir, hands, ...rest } = request.event as Record<string, unknown>;
  if (action !== 'shell' || hands === undefined) return false;
  const isKnown = Object.keys(rest).every(name => OF_REQUEST.includes(name) || OF_COMMAND.includes(name));
  return (
    isKnown && isShown(`shell: ${command}`, requestText(request)) && isShown(workdir, shortText(`${workdir}`))
  );
}

const isShown = (text: unknown, shown: string): boolean => text === shown && !UNSEEN.test(shown);
