/** Rejects requests like the Bot API, with its messages. */
import { METHODS, type Method, type Parameters } from './methods.ts';
import type { SentFile } from './wire.ts';

export class Refusal extends Error {
  readonly code: number;
  readonly parameters: object | undefined;
  constructor(code: number, description: string, parameters?: object) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}
const bad = (words: string): never => {
  throw new Refusal(400, `Bad Request: ${words}`);
};

export type Given = Record<string, unknown>;

/** Rejects a method with unpublished parameters, or with values of the wrong type. */
export function checkParameters(method: Method, given: Given): void {
  const known: Parameters = METHODS[method];
  for (const [name, value] of Object.entries(given)) {
    const kind = known[name] ?? bad(`unknown parameter ${name} of ${method}`);
    if (!isOf(kind.replace('?', ''), value))
      bad(`${name} of ${method} is no ${kind}: ${JSON.stringify(value)}`);
  }
  for (const [name, kind] of Object.entries(known)) {
    if (!kind.endsWith('?') && given[name] === undefined) bad(`${name} is empty`);
  }
  if (method === 'getUpdates' && !within(given.timeout, 0, 50)) bad('timeout is out of range');
  if (method === 'answerCallbackQuery' && String(given.text ?? '').length > 200) bad('MESSAGE_TOO_LONG');
  if (method === 'sendMessageDraft' && given.draft_id === 0) bad('draft_id is zero');
  checkKeyboard(given.reply_markup);
}

const within = (value: unknown, least: number, most: number): boolean =>
  value === undefined || ((value as number) >= least && (value as number) <= most);

function isOf(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'chat':
      return Number.isSafeInteger(value) || (typeof value === 'string' && value.startsWith('@'));
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'file':
      return value instanceof File;
    default:
      return typeof value === kind;
  }
}

function checkKeyboard(markup: unknown): void {
  const rows = (markup as { inline_keyboard?: Given[][] } | undefined)?.inline_keyboard ?? [];
  if (rows.flat().length > 100) bad('reply markup is too long');
  for (const { text, callback_data } of rows.flat()) {
    if (typeof text !== 'string' || text === '') bad('Text buttons are unallowed in the inline keyboard');
    const bytes = Buffer.byteLength(String(callback_data ?? ''));
    if (bytes < 1 || bytes > 64) bad('BUTTON_DATA_INVALID');
  }
}

const TAGS = /^(?:b|strong|i|em|u|s|del|code|pre|a|blockquote|tg-spoiler)$/;

const MB = 1024 * 1024;
/** The first bytes of files that Telegram plays as voice messages: Ogg, MP3 with its tag or a frame, and M4A at offset 4. */
const PLAYED = ['OggS', 'ID3', '\xff\xfb', 'ftyp'];

/** Rejects files that are empty, too large, or not a voice message. */
export async function checkFile(kind: SentFile['kind'], file: File): Promise<void> {
  if (file.size === 0) bad('file must be non-empty');
  if (file.size > 50 * MB) throw new Refusal(413, 'Request Entity Too Large');
  if (kind === 'photo' && file.size > 10 * MB) bad('PHOTO_SAVE_FILE_INVALID');
  if (kind !== 'voice') return;
  const head = Buffer.from(await file.slice(0, 16).arrayBuffer()).toString('latin1');
  if (!PLAYED.some(sign => head.startsWith(sign) || head.slice(4).startsWith(sign))) bad('wrong file type');
}

/** The photos of an album. The fake accepts only albums of photos. */
export async function photosOf({ media }: Given): Promise<File[]> {
  const parts = media as { type: string; media: unknown }[];
  if (parts.length < 2 || parts.length > 10) bad('wrong number of media in the album');
  for (const { type, media: file } of parts) {
    if (type !== 'photo' || !(file instanceof File)) bad('wrong type of media');
    else await checkFile('photo', file);
  }
  return parts.map(part => part.media as File);
}

/** Returns the displayed text. Rejects text that cannot be parsed, is empty or too long. */
export function seen({ text, parse_mode }: Given, { empty = false } = {}): string {
  const source = (text as string | undefined) ?? '';
  const shown = (parse_mode === 'HTML' ? parsed(source) : source).trim();
  if (shown === '' && !empty) bad('message text is empty');
  if (shown.length > 4096) bad('message is too long');
  return shown;
}

function parsed(html: string): string {
  const open: string[] = [];
  const text = html.replace(/<(\/?)([a-z-]*)([^>]*)>|</g, (whole, closes, name, rest) => {
    if (whole === '<' || !TAGS.test(name ?? '')) bad(`can't parse entities: Unsupported start tag "${name}"`);
    if (rest && !/^ (?:href|class)="[^"<>]*"$/.test(rest)) bad("can't parse entities: wrong attribute");
    if (closes) {
      if (open.pop() !== name) bad(`can't parse entities: Unmatched end tag "${name}"`);
    } else {
      if (name === 'blockquote' && open.includes(name)) bad("can't parse entities: nested blockquote");
      open.push(name);
    }
    return '';
  });
  if (open.length > 0)
    bad(`can't parse entities: Can't find end tag corresponding to start tag "${open.at(-1)}"`);
  if (/&(?!(?:lt|gt|amp|quot|#\d+);)/.test(text)) bad("can't parse entities: unknown entity");
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
