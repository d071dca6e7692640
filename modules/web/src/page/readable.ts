/** What people would read of a page: its article where it has one, else all of it but its scripts. */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { ELEMENT, type PageNode } from './dom.ts';
import { markdownOf } from './markdown.ts';

export interface Readable {
  title: string | null;
  /** Who wrote it, when, and on which site, as far as the page says. */
  source: string | null;
  text: string;
}

/** An article that is shorter is a piece of a page that is none. */
const LEAST_CHARS = 200;

/** The search for an article takes ever longer with each level: 2,000 of them take minutes. */
const MAX_DEPTH = 300;

/** @param whole all of the page, menus included */
export function readable(html: string, url: string, whole: boolean): Readable {
  const document = documentOf(html);
  const title = oneLine(document.querySelector('title')?.textContent);
  const root = document.body as unknown as PageNode;
  const article = whole || isDeeper(root, MAX_DEPTH) ? null : articleOf(document);
  if (!article?.content) {
    // The search has changed the document.
    const all = whole ? document.body : documentOf(html).body;
    return { title, source: null, text: markdownOf(all as unknown as PageNode, url) };
  }
  const { byline, publishedTime, siteName } = article;
  return {
    title: oneLine(article.title) ?? title,
    source: [byline, publishedTime, siteName].flatMap(each => oneLine(each) ?? []).join(', ') || null,
    text: markdownOf(article.content, url),
  };
}

/** A document with a body: the parser leaves out what people may leave out as well. */
function documentOf(html: string): Document {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`);
  const { body, documentElement } = document;
  for (const child of [...documentElement.childNodes]) {
    if (!/^(?:HEAD|BODY)$/i.test(child.nodeName)) body.append(child);
  }
  return document;
}

const articleOf = (document: Document) =>
  new Readability<PageNode>(document, {
    charThreshold: LEAST_CHARS,
    serializer: node => node as unknown as PageNode,
  }).parse();

function isDeeper(node: PageNode, levels: number): boolean {
  if (levels === 0) return true;
  for (const child of node.childNodes) {
    if (child.nodeType === ELEMENT && isDeeper(child, levels - 1)) return true;
  }
  return false;
}

const oneLine = (text: string | null | undefined): string | null => text?.replace(/\s+/g, ' ').trim() || null;
