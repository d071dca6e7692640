/** Divides the setting memory.history_mb. */

const MB = 1024 * 1024;

interface MemoryBudget {
  /** Bytes for the histories of chats. */
  histories: number;
  /** Bytes for the events of ended turns, each kept for at most a minute. */
  endedFeeds: number;
}

export const memoryBudget = ({ history_mb }: { history_mb: number }): MemoryBudget => ({
  histories: (history_mb * MB * 3) / 4,
  endedFeeds: (history_mb * MB) / 4,
});
