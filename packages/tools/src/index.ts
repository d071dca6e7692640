/** THE LIST of built-in tools. */
import type { Tool } from '@chat-kernel/kernel';
import { plan } from './plan.ts';
import { readFile } from './read-file.ts';
import { thinkHarder } from './think-harder.ts';

export interface BuiltinTools {
  /** Real paths of what no tool may read: the kernel's data directory, settings and key files. */
  forbidden: readonly string[];
}

export const builtinTools = ({ forbidden }: BuiltinTools): Tool[] => [plan, readFile(forbidden), thinkHarder];
