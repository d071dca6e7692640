/**
 * Stores the history of videos, ordered by a number that each mark increments, because two marks may share a
 * millisecond (VID-1, VID-3).
 */
import type { Video } from '@chat-kernel/protocol';
import { type Db, decodeReadable, type Transactions } from '@chat-kernel/storage';
import type { Page } from '../feature.ts';

const ONE_ROW = 1;

export class VideoStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Replaces the row of this id and moves it to the top; deletes older rows, so that at most `keep` remain. */
  mark(video: Video, keep: number): Promise<void> {
    const record = JSON.stringify(video);
    return this.#transactions.write(async db => {
      const place = await nextPlace(db);
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
    });
  }

  /**
   * Returns rows, the last marked first, from below the video with the id `before`. Undefined if that id is unknown.
   */
  list({ limit, before }: Page): Promise<Video[] | undefined> {
    return this.#transactions.read(async db => {
      let query = db.selectFrom('video_history').selectAll().orderBy('place', 'desc').limit(limit);
      if (before !== undefined) {
        const cursor = await db
          .selectFrom('video_history')
          .select('place')
          .where('video_id', '=', before)
          .executeTakeFirst();
        if (!cursor) return undefined;
        // The page begins at the original position, even if the video is marked again in the meantime.
        query = query.where('place', '<', cursor.place);
      }
      return decodeReadable(
        'video_history',
        await query.execute(),
        ({ record }) => JSON.parse(record),
        ({ video_id }) => video_id,
      );
    });
  }

  /** Deletes one video, or all if there is no id; returns the number of deleted rows. */
  delete(id?: string): Promise<number> {
    return this.#transactions.write(async db => {
      const all = db.deleteFrom('video_history');
      const chosen = id === undefined ? all : all.where('video_id', '=', id);
      return Number((await chosen.executeTakeFirst()).numDeletedRows);
    });
  }
}

/**
 * Holds the row until the transaction ends: marks run one after the other, and none reads rows that another deletes.
 */
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
