/** The commands of a call with their output, as the model reads them: a section for each (OP-13). */
import { renderSections } from '@chat-kernel/protocol';
import { type CommandOutput, shares } from './output.ts';

export interface CommandRun {
  command: string;
  output: CommandOutput;
  /** The last line of its section; absent where all went well. */
  note?: string;
  failed: boolean;
}

export function rendered(runs: readonly CommandRun[]): string {
  const chars = shares(runs.map(({ output }) => output.length));
  return renderSections(
    runs.map(({ command, output, note }, index) => ({
      title: command,
      content: [withoutLastBreaks(output.shown(chars[index]!)), note].filter(Boolean).join('\n'),
    })),
  );
}

/** A loop and not a pattern: an output may hold a megabyte of line breaks that are not its last ones. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}
