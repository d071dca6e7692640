/** The hands of a script, and who says what they may do: an option beforehand, or a person at the terminal. */
import {
  type Approve,
  allowReads,
  denyAll,
  HandsRunner,
  type KernelClient,
  type OwnUploads,
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import { askHere } from './ask-here.ts';
import type { AskOptions } from './options.ts';

/** Undefined: there is nothing to do, and nothing to decide. */
export function runnerOf(
  client: KernelClient,
  { hands, workdir }: AskOptions,
  uploads: OwnUploads,
): HandsRunner | undefined {
  switch (hands) {
    case 'none':
      return undefined;
    case 'kernel':
      return new HandsRunner(client, {
        hands: {},
        approve: ({ hands }) => (hands === null ? 'allow' : 'deny'),
      });
    case 'reads':
      return new HandsRunner(client, {
        hands: nodeHands({ workdir }),
        approve: allowReads(workdir, denyAll),
        uploads,
      });
    case 'ask':
      return new HandsRunner(client, { hands: nodeHands({ workdir }), approve: askHere(workdir), uploads });
    case 'all': {
      const allowAll: Approve = ({ hands }) => (hands === null ? 'deny' : 'allow');
      return new HandsRunner(client, { hands: nodeHands({ workdir, within: ['/'] }), approve: allowAll });
    }
  }
}
