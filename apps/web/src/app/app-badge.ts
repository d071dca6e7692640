/** Counts the requests that wait for the user on the icon of the installed app, where the system shows such a number. */
import { useEffect } from 'react';
import { useOwnerRequests } from '../kernel/owner-requests.ts';

export function AppBadge(): null {
  const { length: waiting } = useOwnerRequests();
  useEffect(() => {
    // The badge needs HTTPS and a permission on some systems; the title has the same number.
    navigator.setAppBadge?.(waiting).catch(() => {});
  }, [waiting]);
  return null;
}
