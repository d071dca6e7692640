/** Images of a request, as a turn takes them. */
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

/** The images of these messages, in their order. @throws OpenAiError for one that is no data: URL */
export function imagesOf(messages: readonly { message: Message; index: number }[]): PlacedImage[] {
  return messages.flatMap(({ message, index }) =>
    message.content.flatMap((part, place) => {
      if (part.type !== 'image_url') return [];
      const param = `messages[${index}].content[${place}].image_url.url`;
      return [{ param, image: imageOf(part.image_url.url, param) }];
    }),
  );
}

function imageOf(url: string, param: string): Image {
  const [head, media_type] = DATA_URL.exec(url) ?? [];
  if (head === undefined) {
    throw invalid(
      param,
      'The kernel fetches no images: send it as a data: URL in base64, of type image/png, image/jpeg, image/gif or image/webp.',
    );
  }
  return { media_type: media_type as Image['media_type'], data: url.slice(head.length) };
}
