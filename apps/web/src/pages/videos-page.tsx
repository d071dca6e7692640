/** The shelf of videos: what was watched, and the channels that are followed. The kernel asks no site anything. */
import { useState } from 'react';
import { seconds } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { Meter } from '../parts/plot.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { AddVideo } from './add-video.tsx';
import { Page, Part } from './page.tsx';
import { Subscriptions } from './subscriptions.tsx';

export default function VideosPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const [limit, setLimit] = useState(50);
  const { value, error, reload } = useLoaded(() => client.listVideos({ limit }), `${changed} ${limit}`);
  const { act } = useAct();
  const [isEmptying, setEmptying] = useState(false);
  const rows = value?.rows ?? [];
  return (
    <Page title="Videos" about="A shelf that all your clients share. Nothing here is loaded from elsewhere.">
      <Part title="History">
        {error ? <p className="error">{error}</p> : null}
        {value && rows.length === 0 ? (
          <Empty title="Nothing was watched yet.">
            <p>Clients that play videos put them here. One can be added by hand below.</p>
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
              <button type="button" onClick={() => void act(() => client.deleteVideo(video_id).then(reload))}>
                Remove
              </button>
            </li>
          ))}
        </ul>
        {value?.next_before && rows.length >= limit ? (
          <button type="button" onClick={() => setLimit(limit + 50)}>
            More
          </button>
        ) : null}
        {rows.length > 0 ? (
          <button type="button" className="danger" onClick={() => setEmptying(true)}>
            Empty the history
          </button>
        ) : null}
        <AddVideo onAdded={reload} />
      </Part>
      <Subscriptions />
      {isEmptying ? (
        <Confirm
          title="Empty the history?"
          action="Empty"
          onClose={() => setEmptying(false)}
          onConfirm={() => client.deleteVideos().then(reload)}
        >
          <p>All videos go from it. Channels stay followed.</p>
        </Confirm>
      ) : null}
    </Page>
  );
}
