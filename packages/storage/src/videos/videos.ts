/** The history of videos: ordered by a number that each mark raises, since two marks may share a millisecond (VID-1, VID-3). */
import type { VideoRecord, VideoStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

const ONE_ROW = 1;

export class SqlVideoStore implements VideoStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  mark: VideoStore['mark'] = (video, keep) => this.#transactions.write(db => markVideo(db, video, keep));

  list: VideoStore['list'] = range => this.#transactions.read(db => listVideos(db, range));

  delete: VideoStore['delete'] = id => this.#transactions.write(db => deleteVideos(db, id));
}

/** Puts a video on top and drops the tail behind the `keep` newest. */
async function markVideo(db: Db, video: VideoRecord, keep: number): Promise<void> {
  const place = await nextPlace(db);
  const record = JSON.stringify(video);
  await db
    .insertInto('video_history')
    .values({ video_id: video.video_id, place, record })
    .onConflict(conflict => conflict.column('video_id').doUpdateSet({ place, record }))
    .execute();
  const last = await db
    .selectFrom('video_history')
    .select('place')
    .orderBy('place', 'desc')
    .limit(1)
    .offset(keep - 1)
    .executeTakeFirst();
  if (last) await db.deleteFrom('video_history').where('place', '<', last.place).execute();
}

/** The last marked first; undefined where no video is called `before`. */
async function listVideos(
  db: Db,
  { limit, before }: { limit: number; before?: string },
): Promise<VideoRecord[] | undefined> {
  let query = db.selectFrom('video_history').select('record').orderBy('place', 'desc').limit(limit);
  if (before !== undefined) {
    const cursor = await db
      .selectFrom('video_history')
      .select('place')
      .where('video_id', '=', before)
      .executeTakeFirst();
    if (!cursor) return undefined;
    // The page begins at the place of then, also where the video is marked again meanwhile.
    query = query.where('place', '<', cursor.place);
  }
  return (await query.execute()).map(({ record }) => JSON.parse(record));
}

/** Returns how many there were. */
async function deleteVideos(db: Db, id?: string): Promise<number> {
  const all = db.deleteFrom('video_history');
  const { numDeletedRows } = await (id === undefined
    ? all
    : all.where('video_id', '=', id)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Holds the row until the transaction ends: marks come one after the other, and none sees a tail that another cuts. */
async function nextPlace(db: Db): Promise<number> {
  const { last } = await db
    .insertInto('video_places')
    .values({ id: ONE_ROW, last: 1 })
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(eb => ({ last: eb('video_places.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}
