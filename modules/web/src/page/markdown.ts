/** Converts part of a document to Markdown, with links that can be followed. */
import { Lines, toSingleLine } from '@chat-kernel/text';
import { ELEMENT, type PageNode, TEXT } from './dom.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const HIDDEN = words(
  'BUTTON CANVAS DATALIST HEAD IFRAME INPUT MATH NOSCRIPT OBJECT SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE',
);
const LINES = words('BR DD DT LI OPTION TR');
const LISTS = words('OL UL');
const BLOCKS = words(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION DETAILS DIV DL FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR MAIN NAV P PRE SECTION SUMMARY TABLE',
);
/** More levels than real pages have; deeper elements are reduced to their text. */
const MAX_DEPTH = 300;

/** @param base the base URL of the document */
export function renderMarkdown(root: PageNode, base: string): string {
  const lines = new Lines();
  new Walk(lines, base).children(root, 0);
  return lines.toString();
}

class Walk {
  readonly #lines: Lines;
  readonly #base: string;
  /** The enclosing lists. */
  #lists = 0;

  constructor(lines: Lines, base: string) {
    this.#lines = lines;
    this.#base = base;
  }

  children(node: PageNode, depth: number): void {
    for (const child of node.childNodes) {
      if (child.nodeType === TEXT) this.#lines.add(child.textContent);
      else if (child.nodeType === ELEMENT && !isHidden(child)) this.#element(child, depth + 1);
    }
  }

  #element(node: PageNode, depth: number): void {
    const name = node.nodeName.toUpperCase();
    const ends = this.#endsOf(name);
    if (ends) this.#lines.endLine(ends);
    if (depth > MAX_DEPTH) this.#lines.add(node.textContent);
    else this.#inside(name, node, depth);
    if (ends) this.#lines.endLine(ends);
  }

  /** The line breaks around an element; a nested list directly follows its item. */
  #endsOf(name: string): 1 | 2 | undefined {
    if (LINES.has(name) || (LISTS.has(name) && this.#lists > 0)) return 1;
    return BLOCKS.has(name) || LISTS.has(name) ? 2 : undefined;
  }

  #inside(name: string, node: PageNode, depth: number): void {
    const lines = this.#lines;
    const [, level] = /^H([1-6])$/.exec(name) ?? [];
    if (level) lines.within(`${'#'.repeat(Number(level))} `, '', () => this.children(node, depth));
    else if (name === 'A') lines.add(this.#link(node));
    else if (name === 'IMG') lines.add(this.#image(node));
    else if (name === 'CODE' || name === 'KBD')
      lines.add(node.textContent.trim() && `\`${node.textContent}\``);
    else if (name === 'PRE')
      for (const line of ['```', ...node.textContent.replace(/^\n/, '').trimEnd().split('\n'), '```']) {
        lines.addAsIs(line);
        lines.endLine(1);
      }
    else if (name === 'BLOCKQUOTE') lines.within('> ', '> ', () => this.children(node, depth));
    else if (LISTS.has(name)) this.#list(node, depth, name === 'OL');
    else if (name === 'TR') this.#row(node, depth);
    else this.children(node, depth);
  }

  #list(node: PageNode, depth: number, numbered: boolean): void {
    this.#lists++;
    let number = Number(node.getAttribute('start') ?? 1) || 1;
    for (const item of elementsIn(node)) {
      const mark = numbered ? `${number++}. ` : '- ';
      this.#lines.endLine(1);
      this.#lines.within(mark, ' '.repeat(mark.length), () => this.children(item, depth + 1));
      this.#lines.endLine(1);
    }
    this.#lists--;
  }

  /** Data cells are written next to each other, layout cells below each other. */
  #row(node: PageNode, depth: number): void {
    const cells = elementsIn(node);
    const layout = cells.length < 2 || cells.some(cell => elementsIn(cell).some(isLayout));
    if (layout) {
      this.children(node, depth);
      return;
    }
    const texts = cells.map(cell => {
      const own = new Lines();
      new Walk(own, this.#base).children(cell, depth + 1);
      return own.toString().replace(/\s+/g, ' ');
    });
    this.#lines.add(`| ${texts.join(' | ')} |`);
  }

  #link(node: PageNode): string {
    const text = node.textContent;
    const inside =
      text.trim() === ''
        ? imagesIn(node)
            .map(image => this.#image(image))
            .join(' ')
        : text;
    const to = this.#address(node.getAttribute('href'));
    const words = toSingleLine(inside);
    // Keep the white space around the link.
    return to === undefined || words === ''
      ? inside
      : inside.replace(inside.trim(), () => `[${words}](${to})`);
  }

  #image(node: PageNode): string {
    const alt = node.getAttribute('alt')?.trim();
    const at = this.#address(node.getAttribute('src'));
    return alt && at ? `![${alt}](${at})` : '';
  }

  /** The absolute URL; undefined for links that lead nowhere else: anchors in the same page, scripts, data. */
  #address(value: string | null): string | undefined {
    if (!value || value.startsWith('#')) return undefined;
    const url = URL.parse(value, this.#base);
    return url && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
  }
}

const elementsIn = (node: PageNode): PageNode[] =>
  [...node.childNodes].filter(child => child.nodeType === ELEMENT && !isHidden(child));

const imagesIn = (node: PageNode): PageNode[] =>
  elementsIn(node).flatMap(child => (child.nodeName.toUpperCase() === 'IMG' ? [child] : imagesIn(child)));

const isLayout = ({ nodeName }: PageNode): boolean => /^(?:TABLE|DIV|UL|OL|PRE)$/i.test(nodeName);

/** Whether a style attribute hides its element from people: a text for models only may be an instruction. */
export const hidesText = (style: string): boolean =>
  /display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])/i.test(style);

const isHidden = (node: PageNode): boolean =>
  HIDDEN.has(node.nodeName.toUpperCase()) ||
  node.getAttribute('hidden') !== null ||
  node.getAttribute('aria-hidden') === 'true' ||
  hidesText(node.getAttribute('style') ?? '');
