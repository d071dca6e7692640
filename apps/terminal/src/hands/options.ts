/** The options of `chat-kernel hands`. */
export interface StandByHandsOptions {
  url: string;
  token?: string | undefined;
  /** The name by which chats find this machine. */
  name: string;
  /** The directories that its owner allows, absolute; relative paths begin in the first. */
  allow: readonly [string, ...string[]];
}
