/** Extracts the images of a request in the form for a turn. */
import type { TurnRequest } from '@chat-kernel/client';
import { invalid } from '../wire/openai-error.ts';
import type { Message } from '../wire/request.ts';

type Image = NonNullable<TurnRequest['images']>[number];
interface PlacedImage {
  image: Image;
  /** `messages[0].content[1].image_url.url` */
  param: string;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;

/** Returns the images of these messages in order. @throws OpenAiError for one that is not a data: URL */
export function collectImages(messages: readonly { message: Message; index: number }[]): PlacedImage[] {
  return messages.flatMap(({ message, index }) =>
    message.content.flatMap((part, place) => {
      if (part.type !== 'image_url') return [];
      const param = `messages[${index}].content[${place}].image_url.url`;
      return [{ param, image: parseImage(part.image_url.url, param) }];
    }),
  );
}

function parseImage(url: string, param: string): Image {
  const [head, media_type] = DATA_URL.exec(url) ?? [];
  if (head === undefined) {
    throw invalid(
      param,
      'Image URLs are not fetched. Send a base64 data: URL of type image/png, image/jpeg, image/gif or image/webp.',
    );
  }
  return { media_type: media_type as Image['media_type'], data: url.slice(head.length) };
}
