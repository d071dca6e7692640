/** Lists all faces, each on its own line. */
import type { LazyFace } from './face.ts';

export const FACES: readonly LazyFace[] = [
  { prefix: '/openai', anyBody: true, load: async () => (await import('@chat-kernel/openai-face')).openFace },
  // Its tools have few arguments, and its SDK reads each several times.
  { prefix: '/mcp', maxValues: 2000, load: async () => (await import('@chat-kernel/mcp-face')).openFace },
];
