/** The history of videos; the store keeps its order. */
import type { Video } from '@chat-kernel/protocol';

/** A video that was watched. */
export type VideoRecord = Video;

export interface VideoStore {
  /** Replaces the row of this id and puts it on top; of the rest, the newest stay so that there are `keep`. */
  mark(video: VideoRecord, keep: number): Promise<void>;
  /** The last marked first; below the video with the id `before`. Undefined where there is none of that id. */
  list(range: { limit: number; before?: string }): Promise<VideoRecord[] | undefined>;
  /** Deletes one, or without an id all; returns how many there were. */
  delete(id?: string): Promise<number>;
}
