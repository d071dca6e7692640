/** Guests, for their owner: how each stands, and the sign-in to those that want one (MCP-5). */
import { type Guest, KernelError, type SignIn } from '@chat-kernel/protocol';

/** What an authorization server sends along with the browser that it sends back; all of it may be anybody's. */
export interface SignInAnswer {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  /** The server that answers (RFC 9207). */
  iss?: string | undefined;
}

/** How a sign-in ended; unknown: it never began, was over already, or its time had passed. */
export type SignInEnd = 'done' | 'declined' | 'failed' | 'unknown';

export interface Guests {
  /** By name. */
  list(): Promise<Guest[]>;
  /** Begins a sign-in; one that was begun before is void. @throws KernelError not_found, invalid_value, sign_in_failed */
  signIn(name: string): Promise<SignIn>;
  /** Ends a sign-in. Never rejects for what the answer is. */
  finishSignIn(answer: SignInAnswer): Promise<SignInEnd>;
  /** Forgets what the guest was signed in to with. @throws KernelError not_found, invalid_value */
  signOut(name: string): Promise<Guest>;
}

export const noSuchGuest = (name: string): KernelError =>
  new KernelError('not_found', `There is no tool server ${name} in mcp.servers.`);

export const NO_GUESTS: Guests = {
  list: async () => [],
  signIn: async name => Promise.reject(noSuchGuest(name)),
  finishSignIn: async () => 'unknown',
  signOut: async name => Promise.reject(noSuchGuest(name)),
};
