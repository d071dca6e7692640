/** Finds, or makes, the person that a surface calls so. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';

export function ResolvePerson({ onFound }: { onFound(): Promise<void> }) {
  const { client, notices } = useKernel();
  const [surface, setSurface] = useState('');
  const [external_id, setExternalId] = useState('');
  const find = async () => {
    const { name, trusted } = await client.resolvePerson({ surface, external_id });
    notices.say(`${name ?? external_id} is ${trusted ? 'trusted' : 'not trusted'}.`);
    await onFound();
  };
  return (
    <InlineForm action="Find" onSubmit={find} disabled={!surface || !external_id}>
      <label className="field">
        Surface
        <input value={surface} placeholder="mail" onChange={event => setSurface(event.target.value)} />
      </label>
      <label className="field grow">
        Called there
        <input
          value={external_id}
          placeholder="ada@example.org"
          onChange={event => setExternalId(event.target.value)}
        />
      </label>
    </InlineForm>
  );
}
