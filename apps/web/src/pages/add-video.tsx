/** Puts a video on top of the history by hand. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';

export function AddVideo({ onAdded }: { onAdded(): Promise<void> }) {
  const { client } = useKernel();
  const [id, setId] = useState('');
  const [title, setTitle] = useState('');
  const [minutes, setMinutes] = useState('10');
  const add = async () => {
    await client.markVideo(id, { title: title || null, duration_s: Number(minutes) * 60 });
    setId('');
    setTitle('');
    await onAdded();
  };
  return (
    <details className="call">
      <summary>
        <strong>Add a video</strong>
      </summary>
      <InlineForm action="Add" onSubmit={add} disabled={!id} inside>
        <label className="field">
          Id
          <input value={id} onChange={event => setId(event.target.value)} />
        </label>
        <label className="field grow">
          Title
          <input value={title} onChange={event => setTitle(event.target.value)} />
        </label>
        <label className="field">
          Minutes
          <input type="number" min="0" value={minutes} onChange={event => setMinutes(event.target.value)} />
        </label>
      </InlineForm>
    </details>
  );
}
