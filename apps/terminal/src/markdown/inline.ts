/** Renders the inline elements of a paragraph: emphasis, code, links. */
import { decodeEntities, webAddress } from '@chat-kernel/text';
import type { Token, Tokens } from 'marked';
import { type Line, type Span, type Style, span } from '../text/line.ts';

/**
 * Returns inline tokens as lines that are split at hard breaks and not yet wrapped.
 * @param links whether the terminal supports hyperlinks; otherwise URLs are written out
 */
export function inlineLines(tokens: readonly Token[], links: boolean, style: Style = {}): Line[] {
  const lines: Span[][] = [[]];
  for (const piece of pieces(tokens, links, style)) {
    if (piece === 'break') lines.push([]);
    else lines.at(-1)!.push(piece);
  }
  return lines;
}

const STYLES = { strong: { bold: true }, em: { italic: true }, del: { strike: true } } as const;

function* pieces(tokens: readonly Token[], links: boolean, style: Style): Generator<Span | 'break'> {
  for (const token of tokens) {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        yield* pieces(token.tokens ?? [], links, { ...style, ...STYLES[token.type] });
        break;
      case 'codespan':
        yield span(oneLine((token as Tokens.Codespan).text), { ...style, colour: 'cyan' });
        break;
      case 'link':
        yield* link(token as Tokens.Link, links, style);
        break;
      case 'image':
        yield* image(token as Tokens.Image, links, style);
        break;
      case 'br':
        yield 'break';
        break;
      case 'checkbox':
        break;
      case 'escape':
        yield span((token as Tokens.Escape).text, style);
        break;
      case 'text': {
        const { tokens: inner, text } = token as Tokens.Text;
        if (inner) yield* pieces(inner, links, style);
        else yield span(decodeEntities(oneLine(text)), style);
        break;
      }
      default:
        yield span(oneLine(token.raw), style);
    }
  }
}

/** Writes out the URL if the terminal has no hyperlinks, or if the link text looks like another URL. */
function* link(token: Tokens.Link, links: boolean, style: Style): Generator<Span | 'break'> {
  const address = webAddress(token.href);
  const linked: Style = {
    ...style,
    colour: 'blue',
    underline: true,
    ...(address !== null && { link: address }),
  };
  yield* pieces(token.tokens, links, linked);
  const named = token.text === token.href || `mailto:${token.text}` === token.href;
  if (named || (links && address !== null && !/\w\.\w|:\/\//.test(token.text))) return;
  yield span(` (${oneLine(token.href)})`, { ...style, dim: true });
}

function* image({ text, href }: Tokens.Image, links: boolean, style: Style): Generator<Span> {
  const address = webAddress(href);
  yield span(`[image: ${oneLine(text || href)}]`, {
    ...style,
    colour: 'blue',
    ...(address !== null && { link: address }),
  });
  if (text && !(links && address !== null)) yield span(` (${oneLine(href)})`, { ...style, dim: true });
}

const oneLine = (text: string): string =>
  text.includes('\n')
    ? text
        .split('\n')
        .map((each, index) => (index === 0 ? each.trimEnd() : each.trim()))
        .join(' ')
    : text;
