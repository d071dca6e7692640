/** Divides the memory that a kernel uses for chats. */

const MB = 1024 * 1024;

export const MEMORY_BYTES = {
  histories: 48 * MB,
  /** The events of ended turns, each kept for at most a minute. */
  endedFeeds: 16 * MB,
} as const;
