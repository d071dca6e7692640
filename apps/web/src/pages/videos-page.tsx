/** Shows the watch history and the followed channels. The kernel contacts no video site. */
import type { SubscriptionsImported } from '@chat-kernel/client';
import { counted, duration } from '@chat-kernel/text';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton, Button } from '../parts/button.tsx';
import { Confirm, ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { Meter } from '../parts/plot.tsx';
import { saveAs } from '../parts/save-as.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function VideosPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const [limit, setLimit] = useState(50);
  const { value, error, reload } = useLoaded(() => client.listVideos({ limit }), `${changed} ${limit}`);
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
                  <bdi>{channel_title}</bdi> {duration(duration_s * 1000)} · {wholeTime(watched_at)}
                </small>
                {position_s === null || duration_s <= 0 ? null : (
                  <Meter
                    share={position_s / duration_s}
                    label={`Watched up to ${duration(position_s * 1000)}`}
                  />
                )}
              </div>
              <ActionButton label="Remove" action={() => client.deleteVideo(video_id).then(reload)} />
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

/** Lists followed channels, and imports and exports them. */
function Subscriptions() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const { value, error, reload } = useLoaded(() => client.listSubscriptions(), changed);
  const { act } = useAction();
  const [chosen, setChosen] = useState<{ file: File; found: SubscriptionsImported } | null>(null);
  const send = (file: File, dryRun: boolean) =>
    client.request<SubscriptionsImported>('POST', '/v1/video/import', {
      bytes: file,
      query: { dry_run: dryRun },
      headers: { 'content-type': 'application/octet-stream' },
    });
  const choose = async (file: File | undefined) => {
    if (file) setChosen({ file, found: await send(file, true) });
  };
  const save = async (format: 'opml' | 'newpipe') =>
    saveAs(await client.exportSubscriptions({ format }), `subscriptions.${format}`);
  const subscriptions = value?.subscriptions ?? [];
  return (
    <Part title="Channels">
      {error ? <p className="error">{error}</p> : null}
      {value && subscriptions.length === 0 ? (
        <Empty title="No channels yet.">
          <p>
            Follow a channel below, or import a file from another app: OPML, NewPipe, Invidious or FreeTube.
          </p>
        </Empty>
      ) : null}
      <ul className="rows">
        {subscriptions.map(({ channel_id, title, url }) => (
          <li key={channel_id}>
            <div>
              <strong>
                <bdi>{title}</bdi>
              </strong>
              <small>
                <bdi>{url ?? channel_id}</bdi>
              </small>
            </div>
            <ActionButton label="Unfollow" action={() => client.unsubscribe(channel_id).then(reload)} />
          </li>
        ))}
      </ul>
      <Follow onFollowed={reload} />
      <div className="inline">
        <label className="button">
          Import file
          <input
            type="file"
            className="unseen"
            onChange={event => {
              void act(() => choose(event.target.files?.[0]));
              event.target.value = '';
            }}
          />
        </label>
        <ActionButton label="Export OPML" action={() => save('opml')} />
        <ActionButton label="Export for NewPipe" action={() => save('newpipe')} />
      </div>
      {chosen ? (
        <Confirm
          title="Import channels"
          action="Import"
          onClose={() => setChosen(null)}
          onConfirm={() => send(chosen.file, false).then(reload)}
        >
          <p>
            {chosen.file.name} ({chosen.found.format}): {counted(chosen.found.new, 'new channel')},{' '}
            {chosen.found.known} already followed, {chosen.found.invalid} unreadable.
          </p>
        </Confirm>
      ) : null}
    </Part>
  );
}

/** Form to follow a channel. */
function Follow({ onFollowed }: { onFollowed(): Promise<void> }) {
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
      <TextField label="Channel ID" value={id} onChange={setId} />
      <TextField grow label="Channel title" value={title} onChange={setTitle} />
    </InlineForm>
  );
}
