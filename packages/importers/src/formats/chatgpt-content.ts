/** The contents of ChatGPT's messages, by their types; of a type that nobody here knows a note is left. */
import type { ImportBlock } from '@chat-kernel/protocol';
import type { LeftOut, Pictures } from '../base/incoming.ts';
import { calledTool, fenced, leftOut as leave, note, text, toolAnswer } from '../base/said.ts';
import { fieldsOf, isFields, listOf, textOf } from '../base/values.ts';
import { pictureOf } from './picture.ts';

export interface ContentPlace {
  /** Who speaks: user, assistant, system or tool. */
  role: string;
  /** The tool that answers, or that is spoken to; `all` and the empty text are none. */
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
      for (const part of listOf(content.parts)) blocks.push(...(await blocksOfPart(part, place)));
      return blocks;
    }
    case 'code': {
      const words = textOf(content.text);
      const language = textOf(content.language).replace(/^unknown$/, '');
      if (words.trim() === '') return [];
      return isTool(tool) ? [calledTool(tool, words, language)] : text(fenced(words, language));
    }
    case 'execution_output':
      return answer(tool, textOf(content.text));
    case 'tether_quote': {
      const from = [textOf(content.title), textOf(content.url)].filter(Boolean).join(', ');
      return answer(from || tool, textOf(content.text));
    }
    case 'tether_browsing_display':
      return answer(tool, [textOf(content.summary), textOf(content.result)].filter(Boolean).join('\n'));
    case 'thoughts':
      return listOf(content.thoughts).flatMap(thought => {
        const { summary, content: words } = fieldsOf(thought);
        return thinking([textOf(summary), textOf(words)].filter(Boolean).join('\n\n'));
      });
    case 'reasoning_recap':
      return thinking(textOf(content.content));
    case 'user_editable_context':
      return [
        note(
          `Instructions that the chat had: ${[content.user_profile, content.user_instructions].map(textOf).join('\n').trim()}`,
        ),
      ];
    case 'system_error':
      return [note(`Error: ${textOf(content.name)} ${textOf(content.text)}`.trim())];
    default: {
      const words = textOf(content.text);
      const left = leave(place.leftOut, `content of type ${textOf(content.content_type)}`);
      return role === 'user' ? [...text(words), left] : [left, ...text(words)];
    }
  }
}

async function blocksOfPart(
  part: unknown,
  { role, tool, leftOut, pictures }: ContentPlace,
): Promise<ImportBlock[]> {
  if (typeof part === 'string') {
    const words = withoutCitations(textOf(part));
    if (words.trim() === '') return [];
    if (role === 'system') return [note(`System: ${words}`)];
    return role === 'tool' ? answer(tool, words) : text(words);
  }
  if (!isFields(part)) return [];
  switch (part.content_type) {
    case 'image_asset_pointer':
      return [await pictureOf(textOf(part.asset_pointer), leftOut, pictures)];
    case 'audio_transcription':
      return text(textOf(part.text));
    default: {
      const type = textOf(part.content_type) || 'unknown';
      return [...text(textOf(part.text)), leave(leftOut, `part of type ${type}`)];
    }
  }
}

/** The files that a user sent; pictures among them stand in the message itself. */
export const filesOf = ({ attachments }: Fields, leftOut: LeftOut): ImportBlock[] =>
  listOf(attachments)
    .map(fieldsOf)
    .filter(({ mime_type }) => !textOf(mime_type).startsWith('image/'))
    .map(({ name, id }) => leave(leftOut, 'file', `the file ${textOf(name) || textOf(id)}`));

const isTool = (tool: string): boolean => tool !== '' && tool !== 'all';
const answer = (tool: string, output: string): ImportBlock[] =>
  output.trim() === '' ? [] : [toolAnswer(isTool(tool) ? tool : 'unknown', output)];
const thinking = (words: string): ImportBlock[] => (words === '' ? [] : [{ type: 'thinking', text: words }]);

/** Marks between private characters, by which ChatGPT's own page finds its sources; anywhere else they are litter. */
const withoutCitations = (words: string): string => words.replace(/\ue200[^\ue200\ue201]*\ue201/g, '');
