/** Validates the names of modules. */
import { MODULE_NAME } from '@chat-kernel/protocol';

/** Returns why a module cannot have this name, as the rest of a sentence; undefined if it can. */
export function nameMistake(name: string): string | undefined {
  if (!MODULE_NAME.test(name)) {
    return 'its name is invalid: start with a letter, use letters, digits, _ and -, at most 32 characters';
  }
  // The tools of such a module could have the same names as those of third-party servers.
  if (/^mcp(_|$)/.test(name)) return 'names that start with mcp_ are reserved for MCP servers';
  return undefined;
}
