/** Reads and writes OPML. A document type is rejected unread, and with it all entities that a file could define. */
import { KernelError } from '@chat-kernel/protocol';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { ChannelEntry } from './channel.ts';

/** The maximum nesting of groups; no real file has so many levels. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 50;

/**
 * The entries of a document: each outline with the address of a feed. Other outlines are groups.
 * @throws KernelError invalid_value
 */
export function readOpml(text: string): ChannelEntry[] {
  const entries: ChannelEntry[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  let attributes = 0;
  parser.on('error', ({ message }) => {
    throw broken(message);
  });
  parser.on('doctype', () => {
    throw broken('a document type declaration is not allowed');
  });
  parser.on('opentagstart', ({ name }) => {
    attributes = 0;
    if (depth === 0 && name !== 'opml') throw broken('it is not an OPML document');
    if (++depth > MAX_DEPTH) throw broken('it is nested too deeply');
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw broken(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', tag => entries.push(...toEntries(tag)));
  parser.on('closetag', () => {
    depth--;
  });
  parser.write(text).close();
  return entries;
}

/** Writes a document with an outline for each channel, all in one group. */
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

function toEntries({ name, attributes: { xmlUrl, title, text } }: SaxesTagPlain): ChannelEntry[] {
  return name === 'outline' && xmlUrl !== undefined ? [{ address: xmlUrl, title: title ?? text }] : [];
}

/** Escapes the text of an attribute; drops characters that XML does not allow. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&"'\t\n\r]/g, sign => `&#${sign.charCodeAt(0)};`);

const broken = (why: string): KernelError =>
  new KernelError('invalid_value', `The OPML file cannot be imported: ${why}.`);
