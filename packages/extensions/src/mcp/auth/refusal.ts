/** Failures of requests for which a sign-in is the remedy, as the word for it. */
import { InsufficientScopeError } from '@modelcontextprotocol/client';
import { causeOf, isRefusedToken, SignInNeeded } from '../rules/failures.ts';
import type { GuestAuth } from './guest-auth.ts';

/**
 * Returns what the guest wants, to follow "it is down:" or "for"; undefined: the error has another reason.
 * @param auth null: nobody can sign in to the guest
 */
export async function refusalOf(error: unknown, auth: GuestAuth | null): Promise<string | undefined> {
  if (auth === null) return undefined;
  const needed = causeOf(error, SignInNeeded);
  if (needed !== undefined) return needed.message;
  const narrow = causeOf(error, InsufficientScopeError);
  if (narrow !== undefined) return (await auth.widen(narrow)).message;
  return isRefusedToken(error) ? (await auth.refused()).message : undefined;
}
