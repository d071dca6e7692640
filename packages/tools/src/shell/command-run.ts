/** Formats the commands of a call and their output for the model: one section per command (OP-13). */
import { trimEnd } from '@chat-kernel/kernel';
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
      content: [trimEnd(output.shown(chars[index]!), /\n/), note].filter(Boolean).join('\n'),
    })),
  );
}
