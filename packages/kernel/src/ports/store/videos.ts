/** The history of videos; the store keeps its order. */
import type { Video } from '@chat-kernel/protocol';

/** A video that was watched. */
export type VideoRecord = Video;

export interface VideoStore {
  /** Replaces the row of this id and puts it on top; older rows go, so that at most `keep` are left. */
  mark(video: VideoRecord, keep: number): Promise<void>;
  /**
   * Returns rows, the last marked first, from below the video with the id `before`. Undefined where there is none of
   * that id.
   */
  list(range: { limit: number; before?: string }): Promise<VideoRecord[] | undefined>;
  /** Deletes one video, or without an id all; returns how many rows went. */
  delete(id?: string): Promise<number>;
}
