/** Notes in a file that the model adds to and lists, and a guard that keeps some words out of all chats. */
import { appendFile, readFile } from 'node:fs/promises';
import { block, defineModule, type ModuleDefinition, ToolError, tool, z } from '@chat-kernel/module-sdk';

export const Settings = z.strictObject({
  file: z.string().default('notes.txt'),
  /** Messages and tool calls must not contain these words, in upper or lower case. */
  forbidden: z.array(z.string().min(1)).default([]),
});

export function notesGuard({ file, forbidden }: z.output<typeof Settings>): ModuleDefinition {
  const add = tool({
    description: 'Adds a note.',
    effects: ['remember'],
    icon: '📌',
    trusted_only: true,
    input: z.object({
      text: z.string().min(1).describe('The note: one line.'),
      urgent: z.boolean().optional().describe('Whether it cannot wait.'),
    }),
    async run({ text, urgent }) {
      if (text.includes('\n')) throw new ToolError('A note is one line; add several notes instead.');
      await appendFile(file, `${urgent ? '! ' : ''}${text}\n`);
      return `Noted: ${text}`;
    },
  });
  const list = tool({
    description: 'Lists all notes, the oldest first. Urgent ones begin with "!".',
    effects: ['read'],
    run: async () => (await notesIn(file)) || 'There are no notes.',
  });
  const refuse = (text: string) => {
    const word = forbidden.find(word => text.toLowerCase().includes(word.toLowerCase()));
    return word === undefined ? undefined : block(`"${word}" stays out of here.`);
  };
  return defineModule({
    name: 'notes',
    version: '1.0.0',
    about: 'short notes for later, kept in a file',
    icon: '📌',
    tools: { add, list },
    stages: {
      // While the guard is down, nothing may pass.
      message: { on_error: 'block', run: ({ text }) => refuse(text) },
      tool_call: { on_error: 'block', run: ({ input }) => refuse(JSON.stringify(input)) },
    },
  });
}

async function notesIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
