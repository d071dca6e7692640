/** The module: what a model may do on the web. */
import { defineModule, type ModuleDefinition, tool, z } from '@chat-kernel/module-sdk';

export const web = (): ModuleDefinition =>
  defineModule({
    name: 'web',
    version: '0.1.0',
    about: 'reads pages of the web',
    tools: {
      fetch: tool({
        description: 'Returns the text of a page.',
        input: z.object({ url: z.url().describe('Address of the page.') }),
        async run({ url }, { signal }) {
          return await (await fetch(url, { signal })).text();
        },
      }),
    },
  });
