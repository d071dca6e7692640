/** Extracts the files and images of a request for the kernel. */
import type { TurnRequest } from '@chat-kernel/client';
import { invalid } from '../wire/openai-error.ts';
import type { Message } from '../wire/request.ts';

type Image = NonNullable<TurnRequest['images']>[number];
/** A file that the kernel already has, or a file to upload. */
type SentFile = { id: string } | { name: string; media_type: string; bytes: Uint8Array<ArrayBuffer> };
type Part = Message['content'][number];
type NumberedMessage = { message: Message; index: number };

const FILE_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100});base64,/;
const IMAGE_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;

/** Returns the files of these messages in order. @throws OpenAiError for one that is neither sent nor uploaded */
export const collectFiles = (messages: readonly NumberedMessage[]) =>
  collect(messages, (part, place) => {
    if (part.type !== 'file') return [];
    const param = `${place}.file`;
    return [{ param, file: parseFile(part.file, param) }];
  });

/** Returns the images of these messages in order. @throws OpenAiError for one that is not a data: URL */
export const collectImages = (messages: readonly NumberedMessage[]) =>
  collect(messages, (part, place) => {
    if (part.type !== 'image_url') return [];
    const param = `${place}.image_url.url`;
    return [{ param, image: parseImage(part.image_url.url, param) }];
  });

/** @param read gets each part and its place, such as `messages[0].content[1]` */
const collect = <Found>(messages: readonly NumberedMessage[], read: (part: Part, place: string) => Found[]) =>
  messages.flatMap(({ message, index }) =>
    message.content.flatMap((part, number) => read(part, `messages[${index}].content[${number}]`)),
  );

function parseFile(
  { file_data, file_id, filename }: Extract<Part, { type: 'file' }>['file'],
  param: string,
): SentFile {
  if (file_id) return { id: file_id };
  const [head, media_type] = FILE_URL.exec(file_data ?? '') ?? [];
  if (head === undefined || media_type === undefined) {
    throw invalid(`${param}.file_data`, 'The file must be a base64 data: URL with a media type.');
  }
  return {
    name: filename || 'file',
    media_type,
    bytes: Uint8Array.from(Buffer.from(file_data!.slice(head.length), 'base64')),
  };
}

function parseImage(url: string, param: string): Image {
  const [head, media_type] = IMAGE_URL.exec(url) ?? [];
  if (head === undefined) {
    throw invalid(
      param,
      'Image URLs are not fetched. Send a base64 data: URL of type image/png, image/jpeg, image/gif or image/webp.',
    );
  }
  return { media_type: media_type as Image['media_type'], data: url.slice(head.length) };
}
