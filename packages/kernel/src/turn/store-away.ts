/** How a store that is away is told from a mistake of the program. */

/** Whether the store could not be reached or written to, which may pass. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'storage_unavailable';
