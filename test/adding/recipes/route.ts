import type { Recipe } from '../recipe.ts';

const CALLS = 'packages/client/src/client/operations.ts';

export const route: Recipe = {
  row: 'an endpoint',
  files: {
    'packages/server/src/routes/greeting.ts': `/** A greeting. */
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf({ name: 'greeting', description: 'Words for those who come.' });

const Greeting = z.object({ text: z.string() }).meta({ id: 'Greeting' });

export const routes = [
  defineRoute('GET /v1/greeting', {
    operationId: 'getGreeting',
    summary: 'Read the greeting',
    description: 'It is always the same.',
    responses: { 200: Greeting },
    handler: () => ({ text: 'Come in.' }),
  }),
];
`,
  },
  edits: [
    {
      file: CALLS,
      before: '  /** Get metrics. */\n',
      text: "  /** Read the greeting. */\n  getGreeting: Call<[], { text: string }> = this.json('GET /v1/greeting');\n",
    },
    {
      file: 'packages/server/src/routes/index.ts',
      after: "  await import('./sleep.ts'),\n",
      text: "  await import('./greeting.ts'),\n",
    },
    {
      file: 'docs/api.md',
      before: '`approvals`, `books`, `decisions`, `events`',
      text: '`greeting`, ',
    },
  ],
  required: [
    {
      file: CALLS,
      says: ['has a named call for every operation', 'getGreeting'],
      command: ['vitest', 'run', 'packages/client/test/named-calls.test.ts'],
    },
  ],
};
