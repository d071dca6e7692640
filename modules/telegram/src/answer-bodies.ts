/** Converts the items of a turn to the messages of its answer. */
import type { Item } from '@chat-kernel/client';
import { split } from './split.ts';
import type { Body, Image } from './tables.ts';

const MAX_ALBUM_SIZE = 10;

type EndedTurn = { status: string; error?: { message: string } | undefined };

/** The last line of a failed or stopped answer. */
export function endingText({ status, error }: EndedTurn): string {
  if (status === 'failed') return `⚠️ ${error?.message ?? 'The turn failed.'}`;
  return status === 'cancelled' ? '⏹ Stopped.' : '';
}

export const answerText = (items: readonly Item[]): string =>
  items
    .flatMap(item => (item.kind === 'agent_message' ? [item.text] : []))
    .join('\n\n')
    .trim();

/** Consecutive images form one album, up to the size that Telegram allows. */
function addImage(bodies: Body[], image: Image): void {
  const last = bodies.at(-1);
  if (last?.kind === 'album' && last.images.length < MAX_ALBUM_SIZE) last.images.push(image);
  else if (last?.kind === 'image') {
    const { kind: _, ...first } = last;
    bodies.splice(-1, 1, { kind: 'album', images: [first, image] });
  } else bodies.push({ kind: 'image', ...image });
}

/** Splits an answer into messages: texts between images, each text in as many messages as it needs. */
export function buildBodies(items: readonly Item[], ending: string): Body[] {
  const bodies: Body[] = [];
  let text: string[] = [];
  const flush = () => {
    for (const markdown of split(text.join('\n\n'))) bodies.push({ kind: 'text', markdown });
    text = [];
  };
  for (const item of items) {
    if (item.kind === 'agent_message') text.push(item.text);
    else if (item.kind === 'image') {
      flush();
      addImage(bodies, { image_id: item.image_id, media_type: item.media_type });
    }
  }
  if (ending !== '') text.push(ending);
  flush();
  return bodies.length > 0 ? bodies : [{ kind: 'text', markdown: '(Empty response)' }];
}
