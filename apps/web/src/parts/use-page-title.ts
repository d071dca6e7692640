/** Sets the title of the tab. It begins with the number of requests that wait for the user. */
import { useEffect } from 'react';
import { useOwnerRequests } from '../kernel/owner-requests.ts';

export function usePageTitle(name: string | null): void {
  const { length: waiting } = useOwnerRequests();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name === null ? '' : `${name} · `}Chat Kernel`;
  }, [name, waiting]);
}
