/** Worker that highlights code. It returns texts and class names, never HTML. */
import { highlightCode } from '@chat-kernel/text/highlight';

addEventListener('message', ({ data }: MessageEvent<{ id: number; text: string; language: string }>) => {
  const pieces = highlightCode(data.text, data.language);
  postMessage({ id: data.id, pieces: pieces?.map(([text, names]) => [text, names.at(-1) ?? '']) ?? null });
});
