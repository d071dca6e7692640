/** Lists known departures that this client tolerates, each with its reason. All of them must be removed eventually. */

/** Name → reason. The observer names the exception that it applies; it tolerates no other departure. */
export const EXCEPTIONS = {
  replayOnTakeover:
    'Where a kernel of several dies, the one that takes its turn over tells the open stream of that turn the rest as a replay, and counts its items from 0 again; no stream of one kernel has this.',
} as const;
