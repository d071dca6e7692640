/** Shows the watch history and the followed channels. The kernel contacts no video site. */
import { useState } from 'react';
import { seconds } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { Meter } from '../parts/plot.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';
import { Subscriptions } from './subscriptions.tsx';

export default function VideosPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const [limit, setLimit] = useState(50);
  const { value, error, reload } = useLoaded(() => client.listVideos({ limit }), `${changed} ${limit}`);
  const { act } = useAction();
  const rows = value?.rows ?? [];
  return (
    <Page title="Videos" about="Your watch history and channels, shared by all your clients.">
      <Part title="History">
        {error ? <p className="error">{error}</p> : null}
        {value && rows.length === 0 ? (
          <Empty title="No videos yet.">
            <p>Apps that play videos add them here. You can also add one below.</p>
          </Empty>
        ) : null}
        <ul className="rows">
          {rows.map(({ video_id, title, channel_title, duration_s, position_s, watched_at }) => (
            <li key={video_id}>
              <div>
                <strong>
                  <bdi>{title ?? video_id}</bdi>
                </strong>
                <small>
                  <bdi>{channel_title}</bdi> {seconds(duration_s * 1000)} · {wholeTime(watched_at)}
                </small>
                {position_s === null || duration_s <= 0 ? null : (
                  <Meter
                    share={position_s / duration_s}
                    label={`Watched up to ${seconds(position_s * 1000)}`}
                  />
                )}
              </div>
              <Button
                label="Remove"
                onClick={() => void act(() => client.deleteVideo(video_id).then(reload))}
              />
            </li>
          ))}
        </ul>
        {value?.next_before && rows.length >= limit ? (
          <Button label="Load more" onClick={() => setLimit(limit + 50)} />
        ) : null}
        {rows.length > 0 ? (
          <ConfirmButton
            label="Clear history"
            title="Clear history?"
            action="Clear"
            onConfirm={() => client.deleteVideos().then(reload)}
          >
            <p>This removes all videos from the history. You still follow the channels.</p>
          </ConfirmButton>
        ) : null}
        <AddVideo onAdded={reload} />
      </Part>
      <Subscriptions />
    </Page>
  );
}

/** Form to add a video to the history. */
function AddVideo({ onAdded }: { onAdded(): Promise<void> }) {
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
        <strong>Add video</strong>
      </summary>
      <InlineForm action="Add" onSubmit={add} disabled={!id} inside>
        <TextField label="Video ID" value={id} onChange={setId} />
        <TextField grow label="Title" value={title} onChange={setTitle} />
        <TextField label="Length (minutes)" type="number" min="0" value={minutes} onChange={setMinutes} />
      </InlineForm>
    </details>
  );
}
