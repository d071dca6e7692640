/** How the setting memory.history_mb is shared out. */

const MB = 1024 * 1024;

interface MemoryBudget {
  /** Bytes for the histories of chats. */
  histories: number;
  /** Bytes for the events of turns that have ended: each is there for a minute at most. */
  endedFeeds: number;
}

export const memoryBudget = ({ history_mb }: { history_mb: number }): MemoryBudget => ({
  histories: (history_mb * MB * 3) / 4,
  endedFeeds: (history_mb * MB) / 4,
});
