/** Defines stored credentials of guests (MCP-5): secrets that only guests read. */
export interface SignInStore {
  /** Returns the stored credentials of a guest; null if there are none. */
  get(guest: string): Promise<string | null>;
  /**
   * Replaces the stored credentials if they are still `before`; null means none. Resolves with false if they are not:
   * if several kernels renew or end a sign-in, only one succeeds.
   */
  swap(guest: string, before: string | null, after: string | null): Promise<boolean>;
}
