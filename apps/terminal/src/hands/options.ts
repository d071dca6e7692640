/** The options of `chat-kernel hands`. */
import type { CommandOptions } from '@chat-kernel/hands';

export interface StandByHandsOptions {
  url: string;
  token?: string | undefined;
  /** The name of this machine in chats. */
  name: string;
  /** The allowed directories, absolute. Relative paths resolve in the first. */
  allow: readonly [string, ...string[]];
  /** How commands run on this machine. */
  commands: CommandOptions;
  /** Further arguments, for the service that starts this program. */
  words: readonly string[];
}
