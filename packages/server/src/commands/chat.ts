/** `chat-kernel chat`: hands the words of the command line to the terminal client. */
import { chat, HANDS } from '@chat-kernel/terminal';
import { explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { workdirOf } from './workdir.ts';

export interface ChatFlags extends AddressFlags {
  chat?: string;
  continue?: boolean;
  model?: string;
  hands?: string;
  workdir?: string;
}
const USAGE = 2;

export async function chatHere(flags: ChatFlags): Promise<void> {
  const { chat: id, continue: continueLast, model, hands = 'ask', workdir, ...address } = flags;
  const known = HANDS.find(each => each === hands);
  if (known === undefined) return usage(`--hands is one of ${HANDS.join(', ')}`);
  if (continueLast && id !== undefined) return usage('--continue and --chat name different chats');
  try {
    const folder = workdirOf(workdir, known);
    const { url, token, startKernel } = await kernelAddress(address);
    // Without these flags a later call would look for another kernel.
    const named = Object.entries(address).some(([name, value]) => name !== 'token' && value !== undefined);
    process.exitCode = await chat({
      url,
      ...(token !== undefined && { token }),
      ...(id !== undefined && { chat: id }),
      ...(continueLast && { continueLast }),
      ...(model !== undefined && { model }),
      workdir: folder,
      hands: known,
      ...(named && { named }),
      ...(startKernel && { startKernel }),
    });
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = USAGE;
  }
}

function usage(sentence: string): void {
  process.stderr.write(`chat-kernel chat: ${sentence}\n`);
  process.exitCode = USAGE;
}
