/** An answer as simple HTML: what the model marked up, and nothing that it wrote as HTML itself. */
import { blocksOf, type Token, type Tokens } from '@chat-kernel/markdown';

export const htmlOf = (markdown: string): string =>
  `<div style="font-family: sans-serif">\n${blocksOf(markdown)
    .map(({ token }) => block(token))
    .join('\n')}\n</div>`;

function block(token: Token): string {
  switch (token.type) {
    case 'heading':
      return `<h${token.depth}>${inline(token.tokens)}</h${token.depth}>`;
    case 'paragraph':
      return `<p>${inline(token.tokens)}</p>`;
    case 'code':
      return `<pre>${escaped(token.text)}</pre>`;
    case 'blockquote':
      return `<blockquote>${(token.tokens ?? []).map(block).join('\n')}</blockquote>`;
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return '<hr>';
    case 'space':
      return '';
    default:
      return 'tokens' in token && token.tokens ? inline(token.tokens) : `<p>${escaped(token.raw)}</p>`;
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const tag = ordered ? 'ol' : 'ul';
  const first = ordered && Number(start) > 1 ? ` start="${Number(start)}"` : '';
  return `<${tag}${first}>${items.map(item => `<li>${item.tokens.map(block).join('\n')}</li>`).join('')}</${tag}>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${inline(cell.tokens)}</${tag}>`).join('')}</tr>`;
  return `<table border="1">${row(header, 'th')}${rows.map(cells => row(cells, 'td')).join('')}</table>`;
}

function inline(tokens: readonly Token[] = []): string {
  return tokens
    .map(token => {
      const inside = () =>
        'tokens' in token && token.tokens ? inline(token.tokens) : escaped(textOf(token));
      switch (token.type) {
        case 'strong':
          return `<b>${inside()}</b>`;
        case 'em':
          return `<i>${inside()}</i>`;
        case 'del':
          return `<s>${inside()}</s>`;
        case 'codespan':
          return `<code>${escaped(token.text)}</code>`;
        case 'br':
          return '<br>';
        case 'link':
          return /^(?:https?|mailto):/i.test(token.href)
            ? `<a href="${escaped(token.href)}">${inside()}</a>`
            : inside();
        // An image of an answer would tell its server who reads it, and when.
        case 'image':
          return escaped(token.raw);
        default:
          return inside();
      }
    })
    .join('');
}

const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
