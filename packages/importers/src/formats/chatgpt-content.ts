/** Converts the contents of ChatGPT's messages by their types; leaves a note for unknown types. */
import type { ImportBlock } from '@chat-kernel/protocol';
import { calledTool, fenced, leftOut as leave, note, text, toolAnswer } from '../base/blocks.ts';
import type { LeftOut, Pictures } from '../base/incoming.ts';
import { isFields, toFields, toList, toText } from '../base/values.ts';
import { loadPicture } from './picture.ts';

export interface ContentPlace {
  /** The role of the sender: user, assistant, system or tool. */
  role: string;
  /** The tool that answers or is called; `all` and the empty text mean no tool. */
  tool: string;
  leftOut: LeftOut;
  pictures: Pictures;
}
type Fields = Readonly<Record<string, unknown>>;

export async function blocksOfContent(content: Fields, place: ContentPlace): Promise<ImportBlock[]> {
  const { role, tool } = place;
  switch (content.content_type) {
    case undefined:
      return [];
    case 'text':
    case 'multimodal_text': {
      const blocks: ImportBlock[] = [];
      for (const part of toList(content.parts)) blocks.push(...(await blocksOfPart(part, place)));
      return blocks;
    }
    case 'code': {
      const words = toText(content.text);
      const language = toText(content.language).replace(/^unknown$/, '');
      if (words.trim() === '') return [];
      return isTool(tool) ? [calledTool(tool, words, language)] : text(fenced(words, language));
    }
    case 'execution_output':
      return answer(tool, toText(content.text));
    case 'tether_quote': {
      const from = [toText(content.title), toText(content.url)].filter(Boolean).join(', ');
      return answer(from || tool, toText(content.text));
    }
    case 'tether_browsing_display':
      return answer(tool, [toText(content.summary), toText(content.result)].filter(Boolean).join('\n'));
    case 'thoughts':
      return toList(content.thoughts).flatMap(thought => {
        const { summary, content: words } = toFields(thought);
        return thinking([toText(summary), toText(words)].filter(Boolean).join('\n\n'));
      });
    case 'reasoning_recap':
      return thinking(toText(content.content));
    case 'user_editable_context':
      return [
        note(
          `Instructions that the chat had: ${[content.user_profile, content.user_instructions].map(toText).join('\n').trim()}`,
        ),
      ];
    case 'system_error':
      return [note(`Error: ${toText(content.name)} ${toText(content.text)}`.trim())];
    default: {
      const words = toText(content.text);
      const left = leave(place.leftOut, `content of type ${toText(content.content_type)}`);
      return role === 'user' ? [...text(words), left] : [left, ...text(words)];
    }
  }
}

async function blocksOfPart(
  part: unknown,
  { role, tool, leftOut, pictures }: ContentPlace,
): Promise<ImportBlock[]> {
  if (typeof part === 'string') {
    const words = withoutCitations(toText(part));
    if (words.trim() === '') return [];
    if (role === 'system') return [note(`System: ${words}`)];
    return role === 'tool' ? answer(tool, words) : text(words);
  }
  if (!isFields(part)) return [];
  switch (part.content_type) {
    case 'image_asset_pointer':
      return [await loadPicture(toText(part.asset_pointer), leftOut, pictures)];
    case 'audio_transcription':
      return text(toText(part.text));
    default: {
      const type = toText(part.content_type) || 'unknown';
      return [...text(toText(part.text)), leave(leftOut, `part of type ${type}`)];
    }
  }
}

/** The files that a user sent; pictures among them are in the message itself. */
export const toFileNotes = ({ attachments }: Fields, leftOut: LeftOut): ImportBlock[] =>
  toList(attachments)
    .map(toFields)
    .filter(({ mime_type }) => !toText(mime_type).startsWith('image/'))
    .map(({ name, id }) => leave(leftOut, 'file', `the file ${toText(name) || toText(id)}`));

const isTool = (tool: string): boolean => tool !== '' && tool !== 'all';
const answer = (tool: string, output: string): ImportBlock[] =>
  output.trim() === '' ? [] : [toolAnswer(isTool(tool) ? tool : 'unknown', output)];
const thinking = (words: string): ImportBlock[] => (words === '' ? [] : [{ type: 'thinking', text: words }]);

/** Removes marks between private-use characters, which only ChatGPT's own page can resolve to sources. */
const withoutCitations = (words: string): string => words.replace(/\ue200[^\ue200\ue201]*\ue201/g, '');
