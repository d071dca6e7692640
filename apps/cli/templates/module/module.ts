/** A module of Chat Kernel with one tool, and one stage that checks every message. */
import { block, defineModule, serve, ToolError, tool, z } from '@chat-kernel/module-sdk';

const count = tool({
  description: 'Counts the words of a text.',
  // A call changes nothing and sends nothing, so the owner need not be asked.
  effects: [],
  input: z.object({
    text: z.string().describe('The text.'),
    longer_than: z.int().min(0).default(0).describe('Only words with more letters than this.'),
  }),
  run({ text, longer_than }) {
    const words = text.split(/\s+/).filter(word => word !== '');
    if (words.length === 0) throw new ToolError('The text contains no words.');
    return `${words.filter(word => word.length > longer_than).length} words`;
  },
});

const module = defineModule({
  name: 'NAME',
  version: '0.1.0',
  about: 'counting words',
  tools: { count },
  stages: {
    message: {
      run: ({ text }) =>
        text.includes('do not send') ? block('The text says that it must not be sent.') : undefined,
    },
  },
});

export default module;

// The test imports this file, too. Serve only when it runs as a program.
if (import.meta.main) await serve(module);
