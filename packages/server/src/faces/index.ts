/** THE list of faces: each on a line of its own. */
import type { LazyFace } from './face.ts';

export const FACES: readonly LazyFace[] = [
  { prefix: '/openai', load: async () => (await import('@chat-kernel/openai-face')).openFace },
  { prefix: '/mcp', load: async () => (await import('@chat-kernel/mcp-face')).openFace },
];
