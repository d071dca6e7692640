/** The hands of a script. There is nobody to ask, so an option says beforehand what they may do. */
import {
  type Approve,
  allowReads,
  denyAll,
  type Hands,
  HandsRunner,
  type KernelClient,
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import type { AskOptions } from './options.ts';

export function runnerOf(client: KernelClient, options: AskOptions): HandsRunner | undefined {
  const { hands, workdir } = options;
  if (hands === 'none') return undefined;
  if (hands === 'reads') {
    return new HandsRunner(client, { hands: readingHands(options), approve: allowReads(workdir, denyAll) });
  }
  const allowAll: Approve = () => 'allow';
  return new HandsRunner(client, { hands: nodeHands({ workdir, within: ['/'] }), approve: allowAll });
}

/** Hands that can do nothing but read: the kernel asks no longer about what an owner has allowed for a whole chat. */
function readingHands({ workdir }: AskOptions): Hands {
  return { ...nodeHands({ workdir }), write: refuse, write_bytes: refuse, shell: refuse };
}

const refuse = (): Promise<never> => Promise.reject(new Error('The user declined this operation.'));
