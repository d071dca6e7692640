/** `chat-kernel ask`: passes the options to the terminal client. */
import { Effort } from '@chat-kernel/protocol';
import { ask, HANDS } from '@chat-kernel/terminal/ask';
import { type AddressFlags, kernelAddress } from './address.ts';
import { type CommandFlags, commandOptions } from './command-options.ts';
import { usage } from './run.ts';
import { resolveWorkdir } from './workdir.ts';

export interface AskFlags extends AddressFlags, CommandFlags {
  chat?: string;
  forget?: boolean;
  model?: string;
  effort?: string;
  hands: string;
  workdir?: string;
  file?: string[];
  json?: boolean;
  quiet?: boolean;
}

export async function runAsk(words: readonly string[], flags: AskFlags): Promise<void> {
  const { chat, forget, model, effort, hands, workdir, file, json, quiet, ...others } = flags;
  const { sandbox, env, ...address } = others;
  const level = Effort.optional().safeParse(effort);
  const known = HANDS.find(each => each === hands);
  if (!level.success) return usage('ask', `--effort must be one of ${Effort.options.join(', ')}.`);
  if (known === undefined) return usage('ask', `--hands must be one of ${HANDS.join(', ')}.`);
  if (forget && chat !== undefined)
    return usage('ask', '--forget deletes a new chat and cannot be used with --chat.');
  const folder = resolveWorkdir(workdir, known);
  const commands = commandOptions({ sandbox, env });
  const { url, token } = await kernelAddress(address);
  process.exitCode = await ask({
    url,
    token,
    text: words.length > 0 ? words.join(' ') : undefined,
    chat,
    forget: forget === true,
    model,
    effort: level.data,
    hands: known,
    commands,
    workdir: folder,
    files: file ?? [],
    json: json === true,
    quiet: quiet === true,
  });
}
