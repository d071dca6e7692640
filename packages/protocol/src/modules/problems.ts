/** Defines the problems with the tools of a module or an MCP server (WIRE-7). */
import { z } from 'zod';

export const Problems = z
  .array(z.string())
  .describe('Tools that were skipped, or that a model does not get: a sentence each.');
