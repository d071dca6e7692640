/** What guests were signed in to with (MCP-5): secrets, of which nobody but guests reads anything. */
export interface SignInStore {
  /** Returns what is kept of a guest; null: nothing. */
  get(guest: string): Promise<string | null>;
  /**
   * Replaces what is kept where it still is `before`; null stands for nothing. Resolves with false where it is not: of
   * several kernels that renew or end a sign-in one comes first.
   */
  swap(guest: string, before: string | null, after: string | null): Promise<boolean>;
}
