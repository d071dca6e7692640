/** Renders items as Markdown for people: speakers as headings, and tool calls as collapsed sections. */
import { type Item, sizeForPeople } from '@chat-kernel/protocol';
import { toSingleLine } from '@chat-kernel/text';
import type { ChatRecord, StoredMessage } from '../ports/index.ts';

export function markdownHead({ title, id, created_at }: ChatRecord): string {
  return `# ${toSingleLine(title ?? 'Chat')}\n\nChat ${id}, created ${time(created_at)}.\n\n`;
}

/**
 * The Markdown of one item.
 * @param message the message of the item
 * @param before the item above it, whose heading may apply to this one too
 */
export function renderItemMarkdown(
  item: Item,
  message: StoredMessage,
  before: Item | undefined,
  address: string,
): string {
  switch (item.kind) {
    case 'user_message':
      return heading(item.master ? 'You' : item.sender!, item) + spoken(item, message, address);
    case 'agent_message':
      return assistant(item, before) + paragraph(item.text);
    case 'thinking':
      return assistant(item, before) + folded('Thinking', paragraph(item.text));
    case 'tool_call': {
      const input = fenced(JSON.stringify(item.input, null, 2), 'json');
      const output = item.output === undefined ? '' : fenced(item.output);
      const how = item.status === 'completed' ? '' : ` (${item.status})`;
      return assistant(item, before) + folded(`Tool: ${item.name}${how}`, input + output);
    }
    case 'image':
      return assistant(item, before) + paragraph(`![image](${address}${item.url})`);
    case 'compaction':
      return '---\n\n*Conversation compacted*\n\n';
    case 'machine_note':
      return `> ${toSingleLine(item.text)}\n\n`;
    // Operations and plans are only part of the live stream.
    case 'client_op':
    case 'consent_request':
    case 'plan':
      return '';
    default:
      return item satisfies never;
  }
}

type OfKind<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

function spoken(
  { text, quote, attachments }: OfKind<'user_message'>,
  message: StoredMessage,
  address: string,
): string {
  const quoted = quote?.text ? paragraph(quote.text.replace(/^/gm, '> ')) : '';
  // Images are linked by their ids, which only the message contains: its item has the bytes.
  const images = message.content.flatMap(({ internal }) => (internal?.image_id ? [internal.image_id] : []));
  const links = attachments.flatMap(file =>
    file.kind === 'file'
      ? [`[${linkText(file.name)}](${address}${file.url}) (${sizeForPeople(file.size)})`]
      : [],
  );
  return (
    quoted +
    paragraph(text) +
    [...images.map(id => `![image](${address}/images/${id})`), ...links].map(paragraph).join('')
  );
}

/** The assistant's heading, left out if the item above is the assistant's too. */
function assistant(item: Item, before: Item | undefined): string {
  const own = before !== undefined && before.turn_id === item.turn_id && IS_ASSISTANTS[before.kind];
  return own ? '' : heading('Assistant', item);
}
/** The kinds of items under the assistant's heading. */
const IS_ASSISTANTS: Readonly<Record<Item['kind'], boolean>> = {
  user_message: false,
  agent_message: true,
  thinking: true,
  tool_call: true,
  client_op: false,
  consent_request: false,
  image: true,
  compaction: false,
  machine_note: false,
  plan: false,
};

/** Keeps the name on a single line: after a newline it could begin another heading or a list. */
const heading = (who: string, { created_at }: Item): string =>
  `## ${toSingleLine(who)} · ${time(created_at)}\n\n`;

/** The time as `2026-01-02 03:04:05 UTC`. */
const time = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`;

const paragraph = (text: string): string => (text === '' ? '' : `${text.trimEnd()}\n\n`);

const folded = (summary: string, content: string): string =>
  `<details>\n<summary>${html(toSingleLine(summary))}</summary>\n\n${content}</details>\n\n`;

/** The text between fences that are longer than any in it, so that it cannot close them. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n\n`;
}

const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const linkText = (text: string): string => toSingleLine(text).replace(/[[\]\\]/g, '\\$&');
