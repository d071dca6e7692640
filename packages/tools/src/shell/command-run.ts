/** What became of the commands of one call, as the model reads it: a section for each (OP-13). */
import { renderSections } from '@chat-kernel/protocol';
import { type CommandOutput, shares } from './output.ts';

export interface Ran {
  command: string;
  output: CommandOutput;
  /** Its last line; none where all went well. */
  note?: string;
  failed: boolean;
}

export function rendered(ran: readonly Ran[]): string {
  const chars = shares(ran.map(({ output }) => output.length));
  return renderSections(
    ran.map(({ command, output, note }, index) => ({
      title: command,
      content: [output.shown(chars[index]!).replace(/\n+$/, ''), note].filter(Boolean).join('\n'),
    })),
  );
}
