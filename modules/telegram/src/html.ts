/** Converts Markdown to the HTML subset of Telegram. */
import { blocksOf, type Details, type Footnote, type Token, type Tokens } from '@chat-kernel/text/markdown';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => ENTITIES[sign] as string);

/** Converts a piece of Markdown to HTML. Elements without a Telegram tag, such as tables, stay as they are written. */
export const renderHtml = (markdown: string): string =>
  blocksOf(markdown)
    .map(
      ({ token, ordinal, glued }, index) =>
        (index === 0 ? '' : glued ? '\n' : '\n\n') + block(token, ordinal),
    )
    .join('')
    .trim();

function block(token: Token, ordinal?: number): string {
  switch (token.type) {
    case 'heading':
      return `<b>${inline((token as Tokens.Heading).tokens)}</b>`;
    case 'paragraph':
      return inline((token as Tokens.Paragraph).tokens);
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      const name = /^[\w+#-]+/.exec(lang ?? '')?.[0];
      const code = escaped(text);
      return name
        ? `<pre><code class="language-${escaped(name)}">${code}</code></pre>`
        : `<pre>${code}</pre>`;
    }
    case 'blockquote':
      // Telegram rejects nested quotes.
      return `<blockquote>${blocks((token as Tokens.Blockquote).tokens).replace(/<\/?blockquote>/g, '')}</blockquote>`;
    case 'list':
      return list(token as Tokens.List, ordinal);
    case 'table':
      return `<pre>${escaped(token.raw.trimEnd())}</pre>`;
    case 'footnote':
      return `[^${escaped((token as Footnote).label)}]: ${inline((token as Footnote).tokens)}`;
    case 'details': {
      const { summary, tokens } = token as Details;
      return `<b>${inline(summary)}</b>\n${blocks(tokens)}`.trimEnd();
    }
    case 'hr':
      return '———';
    case 'space':
      return '';
    case 'text':
      return renderInline(token);
    default:
      return escaped(token.raw.trimEnd());
  }
}

const blocks = (tokens: readonly Token[]): string =>
  tokens
    .map(token => block(token))
    .filter(text => text !== '')
    .join('\n');

function list({ ordered, start, items }: Tokens.List, ordinal?: number): string {
  const first = ordinal ?? (start || 1);
  return items
    .map((item, index) => {
      const box = item.task ? (item.checked ? '☑ ' : '☐ ') : '';
      const mark = ordered ? `${first + index}. ` : '• ';
      return `${mark}${box}${blocks(item.tokens).replaceAll('\n', '\n   ')}`;
    })
    .join('\n');
}

const inline = (tokens: readonly Token[]): string => tokens.map(renderInline).join('');

function renderInline(token: Token): string {
  switch (token.type) {
    case 'strong':
      return `<b>${inline((token as Tokens.Strong).tokens)}</b>`;
    case 'em':
      return `<i>${inline((token as Tokens.Em).tokens)}</i>`;
    case 'del':
      return `<s>${inline((token as Tokens.Del).tokens)}</s>`;
    case 'codespan':
      return `<code>${escaped((token as Tokens.Codespan).text)}</code>`;
    case 'br':
      return '\n';
    case 'link':
      return link(token as Tokens.Link);
    case 'image':
      return escaped(`[image: ${(token as Tokens.Image).text}] (${(token as Tokens.Image).href})`);
    case 'escape':
      return escaped((token as Tokens.Escape).text);
    case 'checkbox':
      return '';
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? inline(tokens) : escaped(text);
    }
    default:
      return escaped(token.raw);
  }
}

/** A URL that Telegram would not open is shown as text. */
function link({ href, tokens, text }: Tokens.Link): string {
  const known = /^(?:https?|tg|mailto):/i.test(href);
  if (!known) return escaped(text === href ? href : `${text} (${href})`);
  return `<a href="${escaped(href)}">${inline(tokens)}</a>`;
}
