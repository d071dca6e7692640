/** Lists people from messaging channels, marks them as trusted, and merges duplicates. */
import type { PatchPerson, Person } from '@chat-kernel/client';
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { CheckField, Select, TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function PersonsPage() {
  const { client } = useKernel();
  const { value, error, reload } = useLoaded(() => client.listPersons());
  const persons = value?.persons ?? [];
  return (
    <Page title="People" about="People who write to you by email or messenger. You decide who to trust.">
      {error ? <p className="error">{error}</p> : null}
      {value && persons.length === 0 ? (
        <Empty title="No people yet.">
          <p>People appear here when they first write through a channel, such as email.</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {persons.map(person => (
          <PersonRow
            key={person.id}
            person={person}
            others={persons.filter(({ id }) => id !== person.id)}
            onChanged={reload}
          />
        ))}
      </ul>
      <Part title="Find or add a person" about="Look up by channel and user ID. New people are added.">
        <ResolvePerson onFound={reload} />
      </Part>
    </Page>
  );
}

interface PersonRowProps {
  person: Person;
  others: readonly Person[];
  onChanged(): Promise<void>;
}

function PersonRow({ person, others, onChanged }: PersonRowProps) {
  const { client } = useKernel();
  const { act } = useAction();
  const [name, setName] = useState(person.name ?? '');
  const [into, setInto] = useState<Person | null>(null);
  const [marks, setMarks] = useState({ trusted: person.trusted, master: person.master });
  const { id, external_ids } = person;
  const patch = (change: PatchPerson) => act(() => client.patchPerson(id, change).then(onChanged));
  /** Updates optimistically, and reverts if the kernel rejects the change. */
  const mark = async (change: Partial<typeof marks>) => {
    setMarks({ ...marks, ...change });
    if (!(await patch(change))) setMarks(marks);
  };
  return (
    <li>
      <div>
        <input
          aria-label="Name"
          value={name}
          placeholder="No name"
          onChange={event => setName(event.target.value)}
          onBlur={() => name !== (person.name ?? '') && void patch({ name: name || null })}
        />
        <small>
          {external_ids.map(({ surface, external_id }) => (
            <span key={`${surface} ${external_id}`} className="tag">
              {surface}: <bdi>{external_id}</bdi>
            </span>
          ))}
        </small>
      </div>
      <CheckField label="Trusted" checked={marks.trusted} onChange={trusted => void mark({ trusted })} />
      <CheckField label="Me" checked={marks.master} onChange={master => void mark({ master })} />
      {others.length > 0 ? (
        <Select
          aria-label="Merge into"
          value=""
          onChange={id => setInto(others.find(other => other.id === id) ?? null)}
          none="Merge into…"
          options={others.map(other => [other.id, personName(other)])}
        />
      ) : null}
      {into ? (
        <Confirm
          title="Merge people"
          action="Merge"
          onClose={() => setInto(null)}
          onConfirm={() => client.mergePerson(id, { into: into.id }).then(onChanged)}
        >
          <p>
            This moves all user IDs of <bdi>{personName(person)}</bdi> to <bdi>{personName(into)}</bdi> and
            deletes <bdi>{personName(person)}</bdi>.
          </p>
        </Confirm>
      ) : null}
    </li>
  );
}

const personName = ({ name, external_ids }: Person): string =>
  name ?? external_ids[0]?.external_id ?? 'Unknown';

/** Finds or creates a person by channel and user ID. */
function ResolvePerson({ onFound }: { onFound(): Promise<void> }) {
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
      <TextField label="Channel" value={surface} placeholder="mail" onChange={setSurface} />
      <TextField
        grow
        label="User ID"
        value={external_id}
        placeholder="ada@example.org"
        onChange={setExternalId}
      />
    </InlineForm>
  );
}
