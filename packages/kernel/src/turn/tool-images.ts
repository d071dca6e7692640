/**
 * Handles images in tool results: stores them like generated ones, shows them to the model, and links them for users.
 */
import { imageMarker } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { type StoredBlock, type ToolImage, timestamp } from '../ports/index.ts';
import type { Run } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

type ImageBlock = Extract<StoredBlock, { type: 'image' }> & { internal: { image_id: string } };

/** Stores the images; returns the blocks that accompany the result. */
export function shownImages(
  images: readonly ToolImage[],
  callId: string,
  { turn }: Run,
  { store, clock }: Pick<TurnServices, 'clock' | 'store'>,
): Promise<ImageBlock[]> {
  const { chat_id } = turn.record;
  return Promise.all(
    images.map(async ({ media_type, bytes }): Promise<ImageBlock> => {
      const id = uuidv4();
      await store.images.save({ id, chat_id, media_type, created_at: timestamp(clock) }, bytes);
      return { type: 'image', media_type, data: '', internal: { image_id: id, of_call: callId } };
    }),
  );
}

/** The line in the output of the call that represents an image. */
export const renderImageMarker = ({ internal: { image_id } }: ImageBlock): string =>
  imageMarker(image_id, `/images/${image_id}`);
