/** Converts a response to text for the model, or to an image. */
import { ToolError } from '@chat-kernel/module-sdk';
import { type Answer, MAX_BYTES } from '../net/download.ts';
import { decode } from './decode.ts';
import { readApart } from './read-apart.ts';
import type { Readable } from './readable.ts';

type WebDocument =
  | {
      kind: 'text';
      readable: Readable /** True if only the beginning of the document was read. */;
      cut: boolean;
    }
  | { kind: 'image'; media_type: string; bytes: Uint8Array };

interface Reading {
  /** True: the whole page, including menus. */
  whole: boolean;
  /** The time limit for parsing a page. */
  secs: number;
  signal: AbortSignal;
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const HTML = new Set(['text/html', 'application/xhtml+xml']);
/** Text types in addition to text/*. */
const TEXTS =
  /^application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|x-yaml|toml|javascript|ecmascript|x-ndjson|jsonl|x-sh|sql|graphql)$/;

/** @throws ToolError */
export async function readDocument(
  { url, headers, bytes, cut }: Answer,
  { whole, secs, signal }: Reading,
): Promise<WebDocument> {
  const { type, charset } = detectType(headers['content-type'], bytes);
  const task = { bytes, charset, url: url.href, whole };
  if (HTML.has(type)) {
    return { kind: 'text', readable: await readApart({ kind: 'html', ...task }, { secs, signal }), cut };
  }
  if (type.startsWith('text/') || TEXTS.test(type)) {
    return {
      kind: 'text',
      readable: { title: null, source: null, text: decode(bytes, charset).trim() },
      cut,
    };
  }
  if (cut)
    throw new ToolError(
      `${url.href} is ${type} and larger than ${MAX_BYTES / 1024 / 1024} MB, the limit of this tool.`,
    );
  if (IMAGES.has(type)) return { kind: 'image', media_type: type, bytes };
  if (type === 'application/pdf') {
    return { kind: 'text', readable: await readApart({ kind: 'pdf', ...task }, { secs, signal }), cut };
  }
  throw new ToolError(
    `${url.href} is ${type}, which this tool cannot read. It reads web pages, text, PDF and images.`,
  );
}

function detectType(
  header: string | undefined,
  bytes: Uint8Array,
): { type: string; charset: string | undefined } {
  const [name = '', ...parameters] = (header ?? '').split(';');
  const charset = parameters
    .map(each => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(each)?.[1])
    .find(each => each !== undefined);
  return { type: name.trim().toLowerCase() || guessed(bytes), charset };
}

/** Detects the type of a response without one. */
function guessed(bytes: Uint8Array): string {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).trimStart();
  if (beginning.startsWith('%PDF-')) return 'application/pdf';
  if (/^<(?:!doctype html|html)/i.test(beginning)) return 'text/html';
  return beginning.includes('\0') ? 'application/octet-stream' : 'text/plain';
}
