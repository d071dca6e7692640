/** `chat-kernel chat`: passes the options to the terminal client. */
import { chat, HANDS } from '@chat-kernel/terminal';
import { type AddressFlags, kernelAddress } from './address.ts';
import { type CommandFlags, commandOptions } from './command-options.ts';
import { usage } from './run.ts';
import { resolveWorkdir } from './workdir.ts';

export interface ChatFlags extends AddressFlags, CommandFlags {
  chat?: string;
  continue?: boolean;
  model?: string;
  hands: string;
  workdir?: string;
}

/** @param open the terminal client */
export async function runChat(flags: ChatFlags, open = chat): Promise<void> {
  const { chat: id, continue: continueLast, model, hands, workdir, ...others } = flags;
  const { sandbox, env, ...address } = others;
  const known = HANDS.find(each => each === hands);
  if (known === undefined) return usage('chat', `--hands must be one of ${HANDS.join(', ')}.`);
  if (continueLast && id !== undefined)
    return usage('chat', '--continue and --chat cannot be used together.');
  const folder = resolveWorkdir(workdir, known);
  const commands = commandOptions({ sandbox, env });
  const { url, token, startKernel } = await kernelAddress(address);
  // A later call needs these flags to find the same kernel.
  const named = Object.entries(address).some(([name, value]) => name !== 'token' && value !== undefined);
  process.exitCode = await open({
    url,
    ...(token !== undefined && { token }),
    ...(id !== undefined && { chat: id }),
    ...(continueLast && { continueLast }),
    ...(model !== undefined && { model }),
    workdir: folder,
    hands: known,
    commands,
    ...(named && { named }),
    ...(startKernel && { startKernel }),
  });
}
