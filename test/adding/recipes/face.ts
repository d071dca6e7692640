import type { Recipe } from '../recipe.ts';

export const face: Recipe = {
  row: 'a face, such as `/mcp`',
  files: {
    'packages/echo-face/package.json': `{
  "name": "@chat-kernel/echo-face",
  "version": "0.1.0",
  "private": true,
  "type": "module",
  "exports": {
    ".": "./src/index.ts"
  },
  "dependencies": {
    "@chat-kernel/client": "0.1.0"
  }
}
`,
    'packages/echo-face/README.md': `# echo-face

The kernel for those who want to hear themselves, at \`/echo\` of the kernel's own address.
`,
    'packages/echo-face/src/index.ts': `/** The echo face: the kernel for those who want to hear themselves. */
import { KernelClient, type Problem } from '@chat-kernel/client';

/** Opens the face of the kernel at this address. */
export const openFace = ({ url }: { url: string }) => {
  const kernel = new KernelClient({ url });
  return {
    answer: async ({ path }: { path: string }) => ({ status: 200, body: { path, kernel: kernel.url } }),
    refusal: ({ status, detail }: Problem) => ({ status, body: { refused: detail } }),
    close: () => {},
  };
};
`,
  },
  edits: [
    {
      file: 'packages/server/src/faces/index.ts',
      before: "  { prefix: '/openai', ",
      text: "  { prefix: '/echo', load: async () => (await import('@chat-kernel/echo-face')).openFace },\n",
    },
    {
      file: 'packages/server/package.json',
      before: '    "@chat-kernel/openai-face": "0.1.0",\n',
      text: '    "@chat-kernel/echo-face": "0.1.0",\n',
    },
    {
      file: 'scripts/layers/packages.ts',
      before: "  'openai-face': ['base', 'client', 'http', 'protocol'],\n",
      text: "  'echo-face': ['client'],\n",
    },
    {
      file: 'scripts/layers/packages.ts',
      before: "    'openai-face',\n",
      text: "    'echo-face',\n",
    },
    {
      file: 'scripts/layers/folders.ts',
      before: "  'openai-face': [",
      text: "  'echo-face': ['index.ts'],\n",
    },
    {
      file: 'docs/api.md',
      before: '`/healthz`, `/readyz`, `/metrics`; ',
      text: '`/echo`, ',
    },
    {
      file: 'docs/architecture.md',
      before: '| | `packages/mcp-face`, `openai-face` |',
      text: '| | `packages/echo-face` | the kernel for those who want to hear themselves | `src/index.ts` |\n',
    },
  ],
};
