/** `chat-kernel ask`: passes the options to the terminal client. */
import { Effort } from '@chat-kernel/protocol';
import { explain } from '@chat-kernel/settings/start-failure';
import { ask, HANDS } from '@chat-kernel/terminal/ask';
import { type AddressFlags, kernelAddress } from './address.ts';
import { type CommandFlags, commandOptions } from './command-options.ts';
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
const USAGE = 2;

export async function runAsk(words: readonly string[], flags: AskFlags): Promise<void> {
  const { chat, forget, model, effort, hands, workdir, file, json, quiet, ...others } = flags;
  const { sandbox, env, ...address } = others;
  const level = Effort.optional().safeParse(effort);
  const known = HANDS.find(each => each === hands);
  if (!level.success) return usage(`--effort must be one of ${Effort.options.join(', ')}.`);
  if (known === undefined) return usage(`--hands must be one of ${HANDS.join(', ')}.`);
  if (forget && chat !== undefined)
    return usage('--forget deletes a new chat and cannot be used with --chat.');
  try {
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
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = USAGE;
  }
}

function usage(sentence: string): void {
  process.stderr.write(`chat-kernel ask: ${sentence}\n`);
  process.exitCode = USAGE;
}
