/** The hands of `ask`, approved by the option --hands or at the terminal. */
import {
  ACTIONS,
  type Approve,
  allowReads,
  alwaysAsks,
  denyAll,
  type HandsOptions,
  HandsRunner,
  type KernelClient,
  type Operation,
  type OwnUploads,
} from '@chat-kernel/client';
import { nodeHands, sandboxKind } from '@chat-kernel/hands';
import { undoHere } from '../machine/state-directory.ts';
import { exact } from '../text/safe.ts';
import type { AskOptions } from './options.ts';
import { promptForApproval } from './prompt-for-approval.ts';

/** For a chat that uses this machine or the kernel's. Undefined if there is nothing to run or approve. */
export function createRunner(
  client: KernelClient,
  options: AskOptions,
  uploads: OwnUploads,
): HandsRunner | undefined {
  const policy = policyOf(client.url, options, uploads);
  return policy && new HandsRunner(client, { client_name: 'terminal', ...policy });
}

function policyOf(
  url: string,
  { hands, workdir, commands }: AskOptions,
  uploads: OwnUploads,
): HandsOptions | undefined {
  const here = { ...commands, workdir, undo: undoHere(url) };
  switch (hands) {
    case 'none':
      return undefined;
    case 'kernel':
      return {
        hands: {},
        // External actions of modules, such as sending mail, do not run on that machine.
        approve: operation =>
          operation.hands === null && isBuiltIn(operation) && !alwaysAsks(operation) ? 'allow' : 'deny',
      };
    case 'reads':
      return { hands: nodeHands(here), approve: allowReads(workdir, denyAll), uploads };
    case 'ask':
      return {
        hands: nodeHands(here),
        sandbox: () => sandboxKind(commands),
        approve: promptForApproval(workdir),
        uploads,
      };
    case 'all':
      return {
        hands: nodeHands({ ...here, within: ['/'] }),
        approve: operation => (operation.hands === null || alwaysAsks(operation) ? 'deny' : 'allow'),
      };
  }
}

/** For a chat that uses another machine: a user may approve its operations, a script denies them. */
export function runnerElsewhere(
  client: KernelClient,
  { hands, workdir }: AskOptions,
): HandsRunner | undefined {
  if (hands === 'none') return undefined;
  const refuse: Approve = () => ({ decision: 'deny', error: ELSEWHERE });
  return new HandsRunner(client, {
    client_name: 'terminal',
    hands: {},
    standby: true,
    approve: hands === 'ask' ? promptForApproval(workdir) : refuse,
  });
}

const isBuiltIn = ({ action }: Operation): boolean => (ACTIONS as readonly string[]).includes(action);

const ELSEWHERE = 'A script cannot approve operations on this machine. Its owner has to approve them.';

/** @param machine the machine of the chat */
export function describeRemoteMachine(machine: string, { chat, hands }: AskOptions): string | undefined {
  if (hands === 'none') return undefined;
  const target = exact(machine);
  if (hands === 'ask') return `This turn runs on ${target}, the machine of the chat.`;
  return `The machine of this chat is ${target}, where --hands ${hands} allows nothing. Use --hands ask, or run chat-kernel chat --chat ${chat}.`;
}
