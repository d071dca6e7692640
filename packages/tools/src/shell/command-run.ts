/** Formats the commands of a call and their output for the model: one section per command (OP-13). */
import { renderSections } from '@chat-kernel/protocol';
import { type CommandOutput, shares } from './output.ts';

export interface CommandRun {
  command: string;
  output: CommandOutput;
  /** The last line of its section; absent if the command succeeded. */
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

/** A loop instead of a pattern, which is slow if an output has a megabyte of line breaks that are not at its end. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}
