/** Defines stored counts of triage by judges of surfaces (API-3). */

/** The number of messages that a judge engaged, and how many of them got a reply. */
export interface TriageCounts {
  engaged: number;
  responded: number;
}

export interface TriageStore {
  get(): Promise<TriageCounts>;
  /** Adds to the totals, and returns them. */
  add(counts: TriageCounts): Promise<TriageCounts>;
}
