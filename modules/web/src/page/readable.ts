/** Extracts the readable part of a page: its article if it has one, else everything except scripts. */
import { toSingleLine } from '@chat-kernel/text';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { ELEMENT, type PageNode } from './dom.ts';
import { hidesText, renderMarkdown } from './markdown.ts';

export interface Readable {
  title: string | null;
  /** The author, date and site, as far as the page states them. */
  source: string | null;
  text: string;
}

/** A shorter article is probably just part of a page that is not an article. */
const MIN_CHARS = 200;

/** The search for an article is slow in deeply nested documents: 2,000 levels take minutes. */
const MAX_DEPTH = 300;

/** @param whole true: the whole page, including menus */
export function readable(html: string, url: string, whole: boolean): Readable {
  const document = parseDocument(html);
  const title = toSingleLine(document.querySelector('title')?.textContent ?? '') || null;
  const root = document.body as unknown as PageNode;
  const article = whole || isDeeper(root, MAX_DEPTH) ? null : extractArticle(document);
  if (!article?.content) {
    // The search has modified the document.
    const all = whole ? document.body : parseDocument(html).body;
    return { title, source: null, text: renderMarkdown(all as unknown as PageNode, url) };
  }
  const { byline, publishedTime, siteName } = article;
  return {
    title: toSingleLine(article.title ?? '') || title,
    source:
      [byline, publishedTime, siteName]
        .map(each => toSingleLine(each ?? ''))
        .filter(Boolean)
        .join(', ') || null,
    text: renderMarkdown(article.content, url),
  };
}

/** Adds the body, if the document has none: the tag is optional in HTML. */
function parseDocument(html: string): Document {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`);
  const { body, documentElement } = document;
  for (const child of [...documentElement.childNodes]) {
    if (!/^(?:HEAD|BODY)$/i.test(child.nodeName)) body.append(child);
  }
  // The search for the article drops styles.
  for (const element of document.querySelectorAll('[style]')) {
    if (hidesText(element.getAttribute('style') ?? '')) element.remove();
  }
  return document;
}

const extractArticle = (document: Document) =>
  new Readability<PageNode>(document, {
    charThreshold: MIN_CHARS,
    serializer: node => node as unknown as PageNode,
  }).parse();

function isDeeper(node: PageNode, levels: number): boolean {
  if (levels === 0) return true;
  for (const child of node.childNodes) {
    if (child.nodeType === ELEMENT && isDeeper(child, levels - 1)) return true;
  }
  return false;
}
