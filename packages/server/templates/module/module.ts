/** A module of the chat kernel: one tool, and one stage that looks at every message. */
import { block, defineModule, serve, ToolError, tool, z } from '@chat-kernel/module-sdk';

const count = tool({
  description: 'Counts the words of a text.',
  input: z.object({
    text: z.string().describe('The text.'),
    longer_than: z.int().min(0).default(0).describe('Only words with more letters than this.'),
  }),
  run({ text, longer_than }) {
    const words = text.split(/\s+/).filter(word => word !== '');
    if (words.length === 0) throw new ToolError('There are no words in that text.');
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
        text.includes('do not send') ? block('It says itself that it is not to be sent.') : undefined,
    },
  },
});

export default module;

// The test imports this file too, so it serves as a program only.
if (import.meta.main) await serve(module);
