/** Lists guests and their states, and handles sign-ins (MCP-5). */
import { type Guest, KernelError, type SignIn } from '@chat-kernel/protocol';

/** The parameters with which an authorization server redirects the browser back. They cannot be trusted. */
export interface SignInAnswer {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  /** The authorization server that answers (RFC 9207). */
  iss?: string | undefined;
}

/** The result of a sign-in; unknown: it never began, had already ended, or had expired. */
export type SignInEnd = 'done' | 'declined' | 'failed' | 'unknown';

export interface Guests {
  /** Sorted by name. */
  list(): Promise<Guest[]>;
  /** Begins a sign-in; an earlier one becomes invalid. @throws KernelError not_found, invalid_value, sign_in_failed */
  signIn(name: string): Promise<SignIn>;
  /** Ends a sign-in. Never rejects because of the answer. */
  finishSignIn(answer: SignInAnswer): Promise<SignInEnd>;
  /** Deletes the credentials of the guest. @throws KernelError not_found, invalid_value */
  signOut(name: string): Promise<Guest>;
}

export const noSuchGuest = (name: string): KernelError =>
  new KernelError('not_found', `There is no MCP server ${name} in mcp.servers.`);

export const NO_GUESTS: Guests = {
  list: async () => [],
  signIn: async name => Promise.reject(noSuchGuest(name)),
  finishSignIn: async () => 'unknown',
  signOut: async name => Promise.reject(noSuchGuest(name)),
};
