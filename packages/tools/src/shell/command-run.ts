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
      content: [output.shown(chars[index]!).replace(/\n+$/, ''), note].filter(Boolean).join('\n'),
    })),
  );
}
