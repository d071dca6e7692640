/** Images that arrive while the screen is open, drawn where the terminal can; their links are printed in any case. */
import type { Item } from '@chat-kernel/protocol';
import { useEffect, useRef } from 'react';
import type { TerminalCapabilities } from '../text/paint.ts';
import { imageSequence } from './image-sequence.ts';

type ImageItem = Extract<Item, { kind: 'image' }>;

export function useImages(
  items: readonly Item[],
  bytesOf: ((item: ImageItem) => Promise<Uint8Array | null>) | undefined,
  { images: protocol }: TerminalCapabilities,
  write: (data: string) => void,
): void {
  const images = items.filter(
    (item): item is ImageItem => item.kind === 'image' && item.status === 'completed',
  );
  // Images of the history stay links, for drawing them would flood the screen at the start.
  const seen = useRef<Set<string> | null>(null);
  seen.current ??= new Set(images.map(image => image.image_id));
  useEffect(() => {
    if (protocol === null || bytesOf === undefined) return;
    for (const image of images) {
      if (seen.current!.has(image.image_id)) continue;
      seen.current!.add(image.image_id);
      bytesOf(image).then(
        bytes => {
          const sequence = bytes === null ? null : imageSequence(bytes, image.media_type, protocol);
          if (sequence !== null) write(sequence);
        },
        // The link is on the screen already.
        () => undefined,
      );
    }
  });
}
