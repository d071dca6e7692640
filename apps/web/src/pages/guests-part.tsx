/** Lists MCP servers with their status, and signs in and out. */
import type { Guest } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { ForeignLink } from '../markdown/link.tsx';
import { Button } from '../parts/button.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';
import { ToolProblems } from './tool-problems.tsx';

export function GuestsPart() {
  const { client } = useKernel();
  const { value, error, reload } = useLoaded(() => client.listGuests());
  // Reload when the user returns from the sign-in page.
  useEffect(() => {
    const onFocus = () => void reload();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [reload]);
  if (value?.guests.length === 0) return null;
  return (
    <Part title="MCP servers" about="Third-party MCP servers. They receive tool inputs, not your chats.">
      {error ? <p className="error">{error}</p> : null}
      <ul className="rows">
        {value?.guests.map(guest => (
          <GuestRow key={guest.name} guest={guest} onChanged={reload} />
        ))}
      </ul>
    </Part>
  );
}

function GuestRow({ guest, onChanged }: { guest: Guest; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { act, busy } = useAction();
  const [address, setAddress] = useState<string | null>(null);
  const { name, status, problem, problems, sign_in } = guest;
  const signIn = async () => {
    setAddress((await client.signInToGuest(name)).url);
    await onChanged();
  };
  const signOut = async () => {
    setAddress(null);
    await client.signOutOfGuest(name);
    await onChanged();
  };
  return (
    <li>
      <div>
        <strong>{name}</strong> <span className={`tag ${status}`}>{status}</span>
        {problem ? <small className="error">{problem}</small> : null}
        <ToolProblems problems={problems} />
        {address !== null && sign_in === 'waiting' ? (
          <small>
            <ForeignLink href={address} text={address}>
              Open sign-in page
            </ForeignLink>
          </small>
        ) : null}
      </div>
      {sign_in === 'needed' || sign_in === 'waiting' ? (
        <Button label="Sign in" className="primary" disabled={busy} onClick={() => void act(signIn)} />
      ) : null}
      {sign_in === 'done' ? (
        <Button label="Sign out" className="danger" disabled={busy} onClick={() => void act(signOut)} />
      ) : null}
    </li>
  );
}
