/** Follows a channel by hand. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { useAct } from '../parts/use-act.ts';

export function Follow({ onFollowed }: { onFollowed(): Promise<void> }) {
  const { client } = useKernel();
  const { act, busy } = useAct();
  const [id, setId] = useState('');
  const [title, setTitle] = useState('');
  const follow = async () => {
    await client.subscribe(id, { title });
    setId('');
    setTitle('');
    await onFollowed();
  };
  return (
    <form
      className="inline"
      onSubmit={event => {
        event.preventDefault();
        void act(follow);
      }}
    >
      <label className="field">
        Channel id
        <input value={id} onChange={event => setId(event.target.value)} />
      </label>
      <label className="field grow">
        Channel title
        <input value={title} onChange={event => setTitle(event.target.value)} />
      </label>
      <button type="submit" disabled={busy || !id || !title}>
        Follow
      </button>
    </form>
  );
}
