/** Persons: whom surfaces brought, whom to trust, and who is the same. */
import type { Schema } from '@chat-kernel/client';
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';
import { ResolvePerson } from './resolve-person.tsx';

type Person = Schema<'Person'>;

export default function PersonsPage() {
  const { client } = useKernel();
  const { value, error, reload } = useLoaded(() => client.listPersons());
  const persons = value?.persons ?? [];
  return (
    <Page
      title="Persons"
      about="People who write through mail or messengers. Only those whom you mark are trusted."
    >
      {error ? <p className="error">{error}</p> : null}
      {value && persons.length === 0 ? (
        <Empty title="Nobody has written yet.">
          <p>A surface, such as a mail module, brings people here when they first write.</p>
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
      <Part title="Find somebody" about="By what a surface calls them; whoever is new is made.">
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
  const { act } = useAct();
  const [name, setName] = useState(person.name ?? '');
  const [into, setInto] = useState<Person | null>(null);
  const [marks, setMarks] = useState({ trusted: person.trusted, master: person.master });
  const { id, external_ids } = person;
  const patch = (change: Schema<'PatchPerson'>) => act(() => client.patchPerson(id, change).then(onChanged));
  /** It shows at once, and is taken back where the kernel does not take it. */
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
          placeholder="No name yet"
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
      <label className="check">
        <input
          type="checkbox"
          checked={marks.trusted}
          onChange={event => void mark({ trusted: event.target.checked })}
        />{' '}
        Trusted
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={marks.master}
          onChange={event => void mark({ master: event.target.checked })}
        />{' '}
        Me
      </label>
      {others.length > 0 ? (
        <select
          aria-label="Merge into"
          value=""
          onChange={event => setInto(others.find(other => other.id === event.target.value) ?? null)}
        >
          <option value="">Is the same as …</option>
          {others.map(other => (
            <option key={other.id} value={other.id}>
              {nameOf(other)}
            </option>
          ))}
        </select>
      ) : null}
      {into ? (
        <Confirm
          title="Two are one"
          action="Merge"
          onClose={() => setInto(null)}
          onConfirm={() => client.mergePerson(id, { into: into.id }).then(onChanged)}
        >
          <p>
            <bdi>{nameOf(into)}</bdi> gets what surfaces call <bdi>{nameOf(person)}</bdi>, keeps its own
            marks, and <bdi>{nameOf(person)}</bdi> is gone.
          </p>
        </Confirm>
      ) : null}
    </li>
  );
}

const nameOf = ({ name, external_ids }: Person): string => name ?? external_ids[0]?.external_id ?? 'Somebody';
