/** Describes request failures that a sign-in can resolve. */
import { InsufficientScopeError } from '@modelcontextprotocol/client';
import { findCause, isRefusedToken, SignInNeeded } from '../rules/failures.ts';
import type { GuestAuth } from './guest-auth.ts';

/**
 * Returns what the guest requires, to follow "it is down:" or "for"; undefined if the error has another reason.
 * @param auth null if the guest has no sign-in
 */
export async function describeRefusal(error: unknown, auth: GuestAuth | null): Promise<string | undefined> {
  if (auth === null) return undefined;
  const needed = findCause(error, SignInNeeded);
  if (needed !== undefined) return needed.message;
  const narrow = findCause(error, InsufficientScopeError);
  if (narrow !== undefined) return (await auth.widen(narrow)).message;
  return isRefusedToken(error) ? (await auth.refused()).message : undefined;
}
