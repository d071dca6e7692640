/** Renders an answer as simple HTML from its Markdown. HTML that the model wrote is escaped. */
import { blocksOf, type Details, type Footnote, type Token, type Tokens } from '@chat-kernel/text/markdown';

export const renderHtml = (markdown: string): string =>
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
    case 'footnote':
      return `<p>[^${escaped((token as Footnote).label)}]: ${inline(token.tokens)}</p>`;
    // Email programs differ in how they fold, so the section is quoted below its title.
    case 'details':
      return `<p><b>${inline((token as Details).summary)}</b></p>\n<blockquote>${(token as Details).tokens.map(block).join('\n')}</blockquote>`;
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
        'tokens' in token && token.tokens ? inline(token.tokens) : escaped(tokenText(token));
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
        // Loading a remote image would tell its server who reads the email, and when.
        case 'image':
          return escaped(token.raw);
        case 'math':
          return escaped(token.raw);
        default:
          return inside();
      }
    })
    .join('');
}

const tokenText = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
