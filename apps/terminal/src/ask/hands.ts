/** The hands of a script, and who says what they may do: an option beforehand, or a person at the terminal. */
import {
  ACTIONS,
  type Approve,
  allowReads,
  denyAll,
  HandsRunner,
  type KernelClient,
  type OwnUploads,
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import { undoHere } from '../machine/state-directory.ts';
import { exact } from '../text/safe.ts';
import { askHere } from './ask-here.ts';
import type { AskOptions } from './options.ts';

/** In a chat that acts here, or on the kernel's machine. Undefined: there is nothing to do, and nothing to decide. */
export function runnerOf(
  client: KernelClient,
  { hands, workdir }: AskOptions,
  uploads: OwnUploads,
): HandsRunner | undefined {
  const undo = undoHere(client.url);
  switch (hands) {
    case 'none':
      return undefined;
    case 'kernel':
      return new HandsRunner(client, {
        hands: {},
        // What a module would do elsewhere, such as sending a mail, is no work on that machine.
        approve: ({ hands, action }) =>
          hands === null && (ACTIONS as readonly string[]).includes(action) ? 'allow' : 'deny',
      });
    case 'reads':
      return new HandsRunner(client, {
        hands: nodeHands({ workdir, undo }),
        approve: allowReads(workdir, denyAll),
        uploads,
      });
    case 'ask':
      return new HandsRunner(client, {
        hands: nodeHands({ workdir, undo }),
        approve: askHere(workdir),
        uploads,
      });
    case 'all': {
      const allowAll: Approve = ({ hands }) => (hands === null ? 'deny' : 'allow');
      return new HandsRunner(client, {
        hands: nodeHands({ workdir, within: ['/'], undo }),
        approve: allowAll,
      });
    }
  }
}

/** A turn in a chat that acts on a machine that stands by acts there, too: a person may be asked, a script allows nothing. */
export function runnerElsewhere(
  client: KernelClient,
  { hands, workdir }: AskOptions,
): HandsRunner | undefined {
  if (hands === 'none') return undefined;
  const refuse: Approve = () => ({ decision: 'deny', error: ELSEWHERE });
  return new HandsRunner(client, {
    hands: {},
    standby: true,
    approve: hands === 'ask' ? askHere(workdir) : refuse,
  });
}

const ELSEWHERE = 'A script allows nothing on this machine: its owner has to be asked.';

/** @param machine where the chat acts */
export function wordsElsewhere(machine: string, { chat, hands }: AskOptions): string | undefined {
  if (hands === 'none') return undefined;
  const there = `the chat acts on ${exact(machine)}`;
  if (hands === 'ask') return `${there}, and so does this turn`;
  return `${there}, where --hands ${hands} allows nothing: --hands ask asks you, and so does chat-kernel chat --chat ${chat}`;
}
