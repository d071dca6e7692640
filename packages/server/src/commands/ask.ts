/** `chat-kernel ask`: hands the words of the command line to the terminal client. */
import { Effort } from '@chat-kernel/protocol';
import { ask, HANDS } from '@chat-kernel/terminal/ask';
import { explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { workdirOf } from './workdir.ts';

export interface AskFlags extends AddressFlags {
  chat?: string;
  forget?: boolean;
  model?: string;
  effort?: string;
  hands?: string;
  workdir?: string;
  file?: string[];
  json?: boolean;
  quiet?: boolean;
}
const USAGE = 2;

export async function askOnce(words: readonly string[], flags: AskFlags): Promise<void> {
  const { chat, forget, model, effort, hands = 'none', workdir, file, json, quiet, ...address } = flags;
  const level = Effort.optional().safeParse(effort);
  const known = HANDS.find(each => each === hands);
  if (!level.success) return usage(`--effort is one of ${Effort.options.join(', ')}`);
  if (known === undefined) return usage(`--hands is one of ${HANDS.join(', ')}`);
  if (forget && chat !== undefined) return usage('--forget is for the new chat, and --chat names an old one');
  try {
    const folder = workdirOf(workdir, known);
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
