/** Extracts the files of a request for upload to the kernel. */
import { invalid } from '../wire/openai-error.ts';
import type { Message } from '../wire/request.ts';

/** A file that the kernel already has, or a file to upload. */
type SentFile = { id: string } | { name: string; media_type: string; bytes: Uint8Array<ArrayBuffer> };
interface PlacedFile {
  file: SentFile;
  /** `messages[0].content[1].file` */
  param: string;
}

const DATA_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100});base64,/;

/** Returns the files of these messages in order. @throws OpenAiError for one that is neither sent nor uploaded */
export function collectFiles(messages: readonly { message: Message; index: number }[]): PlacedFile[] {
  return messages.flatMap(({ message, index }) =>
    message.content.flatMap((part, place) => {
      if (part.type !== 'file') return [];
      const param = `messages[${index}].content[${place}].file`;
      return [{ param, file: parseFile(part.file, param) }];
    }),
  );
}

interface FileFields {
  file_data?: string | null | undefined;
  file_id?: string | null | undefined;
  filename?: string | null | undefined;
}

function parseFile({ file_data, file_id, filename }: FileFields, param: string): SentFile {
  if (file_id) return { id: file_id };
  const [head, media_type] = DATA_URL.exec(file_data ?? '') ?? [];
  if (head === undefined || media_type === undefined) {
    throw invalid(`${param}.file_data`, 'The file must be a base64 data: URL with a media type.');
  }
  return {
    name: filename || 'file',
    media_type,
    bytes: Uint8Array.from(Buffer.from(file_data!.slice(head.length), 'base64')),
  };
}
