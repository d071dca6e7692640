/** How a module may be called. */
import { MODULE_NAME } from '@chat-kernel/protocol';

/** Why a module cannot have this name, as the rest of a sentence; undefined where it can. */
export function nameMistake(name: string): string | undefined {
  if (!MODULE_NAME.test(name)) {
    return 'its name is none: a letter comes first, then letters, digits, _ and -, 32 characters in all';
  }
  // Its tools could not be told from those of third-party servers.
  if (/^mcp(_|$)/.test(name)) return 'names that begin with mcp_ are for third-party tool servers';
  return undefined;
}
