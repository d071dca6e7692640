/** The names that modules may have. */
import { MODULE_NAME } from '@chat-kernel/protocol';

/** Returns why a module cannot have this name, as the rest of a sentence; undefined where it can. */
export function nameMistake(name: string): string | undefined {
  if (!MODULE_NAME.test(name)) {
    return 'its name is none: a letter comes first, then letters, digits, _ and -, 32 characters in all';
  }
  // The tools of such a module could have the names of those of third-party servers.
  if (/^mcp(_|$)/.test(name)) return 'names that begin with mcp_ are for third-party tool servers';
  return undefined;
}
