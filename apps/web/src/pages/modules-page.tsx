/** Lists modules, and approves, denies and revokes them. */
import type { Guest, Module } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ForeignLink } from '../markdown/link.tsx';
import { ActionButton } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function ModulesPage() {
  const { client, requests } = useKernel();
  const asked = useStore(requests);
  const { value, error, reload } = useLoaded(() => client.listModules(), asked);
  return (
    <Page
      title="Modules"
      about="Programs that add tools or inspect messages. A module runs only after you approve it."
    >
      {error ? <p className="error">{error}</p> : null}
      {value?.modules.length === 0 ? (
        <Empty title="No modules installed.">
          <p>
            To create one, run <code>chat-kernel module new my-module</code>. To install it, add it to the
            settings file or to the socket folder.
          </p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.modules.map(module => (
          <ModuleRow key={module.name} module={module} onChanged={reload} />
        ))}
      </ul>
      <GuestsPart />
    </Page>
  );
}

function ModuleRow({ module, onChanged }: { module: Module; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { name, version, about, status, source, tools, stages, problem, problems, approved_at, kernel } =
    module;
  const isTrusted = source === 'settings' || approved_at !== null;
  const button = (label: string, work: (name: string) => Promise<unknown>, className = 'danger') => (
    <ActionButton label={label} className={className} action={() => work(name).then(onChanged)} />
  );
  const approve = (label: string) => button(label, client.approveModule.bind(client), 'primary');
  const revoke = (label: string) => button(label, client.revokeModule.bind(client));
  return (
    <li>
      <div>
        <strong>{name}</strong> {version} <span className={`tag ${status}`}>{status}</span>
        <small>{about}</small>
        {tools.length > 0 ? <small>Tools: {tools.join(', ')}</small> : null}
        {stages.length > 0 ? <small>Stages: {stages.join(', ')}</small> : null}
        {kernel ? <small>Runs on {kernel.name}</small> : null}
        {approved_at ? <small>Approved {wholeTime(approved_at)}</small> : null}
        {problem ? <small className="error">{problem}</small> : null}
        <ToolProblems problems={problems} />
      </div>
      {/* A module that changed after its approval is pending again. */}
      {status === 'pending' || status === 'revoked' ? approve('Approve') : null}
      {status === 'failed' ? approve(isTrusted ? 'Retry' : 'Approve') : null}
      {status === 'pending' ? revoke('Deny') : null}
      {/* A module that has never connected has nothing to revoke. */}
      {!['pending', 'revoked'].includes(status) && version !== null ? revoke('Revoke') : null}
    </li>
  );
}

/** Lists MCP servers with their status, and signs in and out. */
function GuestsPart() {
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
        <ActionButton label="Sign in" className="primary" action={signIn} />
      ) : null}
      {sign_in === 'done' ? <ActionButton label="Sign out" className="danger" action={signOut} /> : null}
    </li>
  );
}

/**
 * Shows which tools of a module or MCP server were skipped, or which a model does not get.
 * @param problems a sentence each; there may be dozens, so that more than three are folded
 */
function ToolProblems({ problems }: { problems: readonly string[] }) {
  const list = problems.map(problem => (
    <small key={problem} className="error">
      {problem}
    </small>
  ));
  if (list.length <= 3) return <>{list}</>;
  return (
    <details>
      <summary>{list.length} problems with its tools</summary>
      {list}
    </details>
  );
}
