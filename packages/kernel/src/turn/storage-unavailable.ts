/** Distinguishes an unavailable store from a programming error. */

/** Whether the store could not be reached or written to, which may be temporary. */
export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'storage_unavailable';
