/** Defines the service of the feature, which its routes and its tool call. */
import type { Memory } from './memory.ts';
import type { Proposals } from './proposals.ts';

export interface MemoryService {
  memory: Memory;
  proposals: Proposals;
}
