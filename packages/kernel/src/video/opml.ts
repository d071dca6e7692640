/**
 * OPML, read and written. The reader knows the XML that lists of feeds are made of: elements, attributes, comments,
 * CDATA, the five named characters and numbers of characters. A document type, and with it every entity that a file
 * could bring, is refused and never looked into.
 */
import { KernelError } from '@chat-kernel/protocol';
import type { ChannelEntry } from './channel.ts';

/** Groups within groups: nobody has so many. */
const MAX_DEPTH = 100;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Bounded where it repeats a group, for the stack of the engine is not endless. */
const NAME = '[A-Za-z_][\\w:.-]*';
const ATTRIBUTE = `\\s+(${NAME})\\s*=\\s*(?:"([^"<]{0,4000})"|'([^'<]{0,4000})')`;
/** From where the last one ended: each piece of markup, or the text up to the next. */
const PIECE = new RegExp(
  `[^<]+|<!--[^]*?-->|<!\\[CDATA\\[[^]*?\\]\\]>|<\\?[^]*?\\?>|</(${NAME})\\s*>|<(${NAME})((?:${ATTRIBUTE}){0,50})\\s*(/?)>`,
  'y',
);

/** One entry for each outline that has the address of a feed; others are groups. @throws KernelError invalid_value */
export function readOpml(text: string): ChannelEntry[] {
  const entries: ChannelEntry[] = [];
  const open: string[] = [];
  let root: string | undefined;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const at = PIECE.lastIndex;
    if (text.startsWith('<!DOCTYPE', at)) throw broken('a document type is not taken');
    const piece = PIECE.exec(text);
    if (piece === null) throw broken(`it cannot be read at character ${at}`);
    const [whole, closes, opens, attributes = ''] = piece;
    const empty = piece.at(-1) === '/';
    if (opens !== undefined) {
      if (open.length === 0 && root !== undefined) throw broken('it has a second root');
      root ??= opens;
      if (opens === 'outline') entries.push(...entryOf(attributesOf(attributes)));
      if (!empty) open.push(opens);
      if (open.length > MAX_DEPTH) throw broken('it is nested too deep');
    } else if (closes !== undefined) {
      if (open.pop() !== closes) throw broken(`</${closes}> closes what is not open`);
    } else if (open.length === 0 && !whole.startsWith('<') && whole.trim() !== '') {
      throw broken('text stands outside of it');
    }
  }
  if (root !== 'opml' || open.length > 0) throw broken('it is no whole OPML document');
  return entries;
}

/** A document with an outline for each, all in one group. */
export function writeOpml(channels: readonly { title: string; feed: string; page: string }[]): string {
  const outlines = channels.map(
    ({ title, feed, page }) =>
      `    <outline type="rss" text="${escaped(title)}" title="${escaped(title)}" xmlUrl="${escaped(feed)}" htmlUrl="${escaped(page)}"/>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Subscriptions</title></head>
  <body>
${outlines.join('')}  </body>
</opml>
`;
}

function entryOf(attributes: ReadonlyMap<string, string>): ChannelEntry[] {
  const address = attributes.get('xmlUrl');
  return address === undefined ? [] : [{ address, title: attributes.get('title') ?? attributes.get('text') }];
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(new RegExp(ATTRIBUTE, 'g'))) {
    if (attributes.has(name)) throw broken(`an element has two attributes ${name}`);
    attributes.set(name, unescaped(double ?? single ?? ''));
  }
  return attributes;
}

function unescaped(text: string): string {
  return text.replace(/&([^;&]*)(;?)/g, (_, name: string, end: string) => {
    const number = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
    const code = number && Number.parseInt(number[1] ?? number[2] ?? '', number[1] === undefined ? 10 : 16);
    const character = code === null ? NAMED[name] : characterOf(code);
    if (end === '' || character === undefined) throw broken(`&${name.slice(0, 20)}${end} is not taken`);
    return character;
  });
}

/** Undefined for what XML does not have. */
const characterOf = (code: number): string | undefined =>
  code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code < 32 && ![9, 10, 13].includes(code))
    ? undefined
    : String.fromCodePoint(code);

/** As text of an attribute; what XML does not have is left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&"'\t\n\r]/g, sign => `&#${sign.charCodeAt(0)};`);

const broken = (why: string): KernelError =>
  new KernelError('invalid_value', `The OPML is not read: ${why}.`);
