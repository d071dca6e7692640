/** Triage by judges of surfaces (API-3). */

/** How many messages a judge engaged, and how many of them got a reply. */
export interface TriageCounts {
  engaged: number;
  responded: number;
}

export interface TriageStore {
  get(): Promise<TriageCounts>;
  /** Adds to the totals, and returns them. */
  add(counts: TriageCounts): Promise<TriageCounts>;
}
