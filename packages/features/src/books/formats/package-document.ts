/**
 * Parses the metadata of an EPUB: its package document and the names of its chapters. Resolves no entity of the XML.
 */
import { posix } from 'node:path';
import { Parser } from 'htmlparser2';
import { oneLine } from './html-text.ts';

export interface PackageDocument {
  title: string | null;
  author: string | null;
  /** Paths in the archive, in reading order. */
  spine: string[];
  /** Paths of the files that contain the names of the chapters. */
  contents: string[];
}

interface ManifestItem {
  path: string;
  type: string;
  properties: string;
}

const PAGES = ['application/xhtml+xml', 'text/html', 'text/x-oeb1-document'];
const NCX = 'application/x-dtbncx+xml';

/** Returns the path of the package document from META-INF/container.xml. */
export function rootFile(container: string): string | undefined {
  let path: string | undefined;
  walk(container, {
    open(name, attributes) {
      if (name === 'rootfile') path ??= attributes['full-path'];
    },
  });
  return path;
}

/** Parses the package document. @param at its path in the archive */
export function readPackage(xml: string, at: string): PackageDocument {
  const items = new Map<string, ManifestItem>();
  const order: string[] = [];
  const named: { title?: string; creator?: string } = {};
  walk(xml, {
    open(name, attributes) {
      const { id, href, idref } = attributes;
      if (name === 'item' && id !== undefined && href !== undefined) {
        const { 'media-type': type = '', properties = '' } = attributes;
        items.set(id, { path: resolved(at, href), type: type.toLowerCase(), properties });
      }
      if (name === 'itemref' && idref !== undefined) order.push(idref);
    },
    text(name, text) {
      if (name === 'title' || name === 'creator') named[name] ??= text;
    },
  });
  const all = [...items.values()];
  const nav = all.filter(({ properties }) => properties.split(/\s+/).includes('nav'));
  const ncx = all.filter(({ type }) => type === NCX);
  return {
    title: oneLine(named.title ?? ''),
    author: oneLine(named.creator ?? ''),
    spine: order.flatMap(id => {
      const item = items.get(id);
      return item && PAGES.includes(item.type) ? [item.path] : [];
    }),
    contents: [...nav, ...ncx].map(({ path }) => path),
  };
}

/** Returns the first name of each file in a navigation document or an NCX. @param at its path in the archive */
export function readContents(xml: string, at: string): Map<string, string> {
  const names = new Map<string, string>();
  const name = (href: string | undefined, text: string) => {
    const path = href === undefined ? '' : resolved(at, href);
    const label = oneLine(text);
    if (path !== '' && label !== null && !names.has(path)) names.set(path, label);
  };
  let href: string | undefined;
  let label = '';
  walk(xml, {
    open(tag, attributes) {
      if (tag === 'a') {
        href = attributes.href;
        label = '';
      }
      if (tag === 'navlabel') label = '';
      // In an NCX the name precedes its target.
      if (tag === 'content') name(attributes.src, label);
    },
    text(_, text) {
      label += text;
    },
    close(tag) {
      if (tag === 'a') name(href, label);
    },
  });
  return names;
}

/** Returns the paths of files that need a key. Obfuscated fonts do not count, because their method is public. */
export function encryptedFiles(xml: string): Set<string> {
  const files = new Set<string>();
  let method = '';
  walk(xml, {
    open(name, attributes) {
      if (name === 'encryptionmethod') method = attributes.Algorithm ?? '';
      const path = name === 'cipherreference' ? attributes.URI : undefined;
      if (path !== undefined && !/idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/.test(method)) {
        files.add(decoded(path));
      }
    },
  });
  return files;
}

/** Receives the events of an XML document. Names are without prefix and in lower case. */
interface XmlVisitor {
  open?(name: string, attributes: Record<string, string>): void;
  text?(name: string, text: string): void;
  close?(name: string): void;
}

function walk(xml: string, { open, text, close }: XmlVisitor): void {
  let name = '';
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        name = local(tag);
        open?.(name, attributes);
      },
      ontext: piece => text?.(name, piece),
      onclosetag(tag) {
        close?.(local(tag));
        name = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

const local = (tag: string): string => tag.slice(tag.indexOf(':') + 1).toLowerCase();

/** Resolves a link to a path in the archive, without the fragment after #. */
const resolved = (at: string, href: string): string =>
  posix.join(posix.dirname(at), decoded(href.replace(/#.*$/s, '')));

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
