/** Extracts the visible text of HTML and its headings. No script runs, and only HTML's entities are resolved. */
import { Lines, toSingleLine } from '@chat-kernel/text';
import { Parser } from 'htmlparser2';
import type { BookSection } from './opened.ts';

interface HtmlText {
  /** The title of the document. */
  title: string | null;
  /** The text before the first heading, if there is any, and the text under each heading. */
  sections: BookSection[];
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const HIDDEN = words('head iframe math noscript object script select style svg template');
const HEADINGS = words('h1 h2 h3');
const ENDS_LINE = words('br dd dt li tr');
const BLOCKS = words(
  'address article aside blockquote body caption details div dl figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul',
);

export function htmlText(html: string): HtmlText {
  const walk = new HtmlWalk();
  const parser = new Parser(
    {
      onopentag: name => walk.open(name),
      ontext: piece => walk.text(piece),
      onclosetag: name => walk.close(name),
    },
    { recognizeSelfClosing: true },
  );
  parser.end(html);
  return walk.result();
}

class HtmlWalk {
  readonly #sections: { title: string | null; text: Lines }[] = [{ title: null, text: new Lines() }];
  #text = this.#sections[0]!.text;
  #hidden = 0;
  #asIs = 0;
  /** The first title of the document; later ones belong to drawings. */
  #title: string | undefined;
  #inTitle = false;
  #heading: string | undefined;

  open(name: string): void {
    if (name === 'title' && this.#title === undefined) {
      this.#title = '';
      this.#inTitle = true;
    }
    // Many pages do not close the head before the body begins.
    if (name === 'body') this.#hidden = 0;
    if (HIDDEN.has(name)) this.#hidden++;
    if (this.#hidden > 0) return;
    if (HEADINGS.has(name)) {
      this.#text = new Lines();
      this.#sections.push({ title: null, text: this.#text });
      this.#heading = '';
    }
    if (name === 'pre') this.#asIs++;
    this.#endLine(name);
    if (name === 'li') this.#text.add('- ');
    if (name === 'td' || name === 'th') this.#text.add(' ');
  }

  text(piece: string): void {
    if (this.#inTitle) this.#title += piece;
    else if (this.#hidden === 0) {
      if (this.#heading !== undefined) this.#heading += piece;
      if (this.#asIs === 0) this.#text.add(piece);
      else if (piece !== '') this.#text.addAsIs(piece);
    }
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false;
    if (HIDDEN.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    if (name === 'pre') this.#asIs = Math.max(0, this.#asIs - 1);
    if (HEADINGS.has(name) && this.#heading !== undefined) {
      this.#sections.at(-1)!.title = oneLine(this.#heading);
      this.#heading = undefined;
    }
    this.#endLine(name);
  }

  result(): HtmlText {
    const sections = this.#sections.map(({ title, text }) => ({ title, text: text.toString().trim() }));
    return { title: oneLine(this.#title ?? ''), sections: sections.filter(({ text }) => text !== '') };
  }

  #endLine(name: string): void {
    if (ENDS_LINE.has(name)) this.#text.endLine(1);
    else if (BLOCKS.has(name)) this.#text.endLine(2);
  }
}

/** Returns the text as a single line; null if it is empty. */
export const oneLine = (text: string): string | null => toSingleLine(text) || null;
