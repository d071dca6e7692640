import type { Recipe } from '../recipe.ts';

export const feature: Recipe = {
  row: 'a feature: what plugs into the kernel without being the turn',
  files: {
    'packages/features/src/echo/feature.ts': `/** Echoes: a tool and a route that say the same. */
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { defineFeature, featureRoutes } from '../feature.ts';

class Echoes {
  of(text: string): string {
    return text.repeat(2);
  }
}

const defineRoute = featureRoutes<Echoes>({ name: 'echoes', description: 'What comes back.' });
const Echo = z.object({ text: z.string() }).meta({ id: 'Echo' });

export const echo = defineFeature({
  name: 'echo',
  open: () => ({ service: new Echoes() }),
  tools: service => [
    defineTool({
      name: 'echo',
      description: 'Says a text twice.',
      input: z.object({ text: z.string() }),
      group: 'echoes',
      icon: '🗻',
      run: async ({ text }) => ({ output: service().of(text) }),
    }),
  ],
  groups: [{ name: 'echoes', about: 'says things twice' }],
  routes: [
    defineRoute('GET /v1/echoes', {
      operationId: 'getEcho',
      summary: 'Read an echo',
      responses: { 200: Echo },
      handler: ({ service }) => ({ text: service.of('ho') }),
    }),
  ],
});
`,
  },
  edits: [
    {
      file: 'packages/client/src/client/operations.ts',
      before: '  /** List tools. */\n',
      text: "  /** Read an echo. */\n  getEcho: Call<[], { text: string }> = this.json('GET /v1/echoes');\n",
    },
    {
      file: 'packages/features/src/features.ts',
      before: "import { memory } from './memory/feature.ts';\n",
      text: "import { echo } from './echo/feature.ts';\n",
    },
    { file: 'packages/features/src/features.ts', after: 'readonly AnyFeature[] = [', text: 'echo, ' },
    { file: 'docs/api.md', before: '`approvals`, `books`, `decisions`, `events`', text: '`echoes`, ' },
    {
      file: 'docs/tools.md',
      before: '| `memory` |',
      text: '| `echo` | `text` | says a text twice | all |\n',
    },
  ],
};
