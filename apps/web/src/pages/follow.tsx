/** Follows a channel by hand. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';

export function Follow({ onFollowed }: { onFollowed(): Promise<void> }) {
  const { client } = useKernel();
  const [id, setId] = useState('');
  const [title, setTitle] = useState('');
  const follow = async () => {
    await client.subscribe(id, { title });
    setId('');
    setTitle('');
    await onFollowed();
  };
  return (
    <InlineForm action="Follow" onSubmit={follow} disabled={!id || !title}>
      <label className="field">
        Channel id
        <input value={id} onChange={event => setId(event.target.value)} />
      </label>
      <label className="field grow">
        Channel title
        <input value={title} onChange={event => setTitle(event.target.value)} />
      </label>
    </InlineForm>
  );
}
