/** Renders Markdown blocks as elements. Text never becomes HTML: unknown tokens are shown as text. */
import type { Details, Footnote, MarkdownBlock, MathToken, Token, Tokens } from '@chat-kernel/text/markdown';
import { Fragment, memo, type ReactNode, useState } from 'react';
import { Code } from './code.tsx';
import { Inline } from './inline.tsx';
import { Formula } from './math.tsx';

interface BlockProps {
  block: MarkdownBlock;
  /** The block may still grow. */
  open: boolean;
  /** The code that it begins may still grow, here or in a later block. */
  growing: boolean;
  /** The whole text of the code that this block is a piece of. */
  wholeCode(block: MarkdownBlock): string;
}

export const Block = memo(function Block({ block, open, growing, wholeCode }: BlockProps) {
  const { token, glued, ordinal } = block;
  if (token.type === 'code') {
    const { text, lang = '' } = token as Tokens.Code;
    const whole = () => wholeCode(block);
    return (
      <Code
        text={text}
        lang={lang}
        glued={glued}
        open={open}
        growing={growing}
        identity={block}
        whole={whole}
      />
    );
  }
  return renderBlock(token, ordinal, glued);
});

function renderBlock(token: Token, ordinal?: number, glued = false): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      // Models begin answers at any depth, and no level may be skipped below the title of the chat.
      const Heading = depth < 4 ? 'h2' : 'h3';
      return (
        <Heading className={`depth-${depth}`}>
          <Inline tokens={tokens} />
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{renderInline(token)}</p>;
    case 'text':
      return renderInline(token);
    case 'code':
      return (
        <Code
          text={(token as Tokens.Code).text}
          lang={(token as Tokens.Code).lang ?? ''}
          identity={token}
          whole={() => (token as Tokens.Code).text}
        />
      );
    case 'list':
      return <List list={token as Tokens.List} ordinal={ordinal} glued={glued} />;
    case 'blockquote':
      return <blockquote>{nested(token.tokens ?? [])}</blockquote>;
    case 'table':
      return <Table table={token as Tokens.Table} glued={glued} />;
    case 'math':
      return (
        <div className="formula">
          <Formula token={token as MathToken} />
        </div>
      );
    case 'footnote':
      return (
        <p className="footnote">
          <sup>{(token as Footnote).label}</sup> <Inline tokens={(token as Footnote).tokens} />
        </p>
      );
    case 'details':
      return <Section token={token as Details} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    default:
      return <p className="raw">{token.raw.trimEnd()}</p>;
  }
}

/** A section that folds. One that was read while it arrived stays unfolded. */
function Section({ token: { summary, tokens, open } }: { token: Details }) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details className="section" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <Inline tokens={summary} />
      </summary>
      <div className="section-body">{nested(tokens)}</div>
    </details>
  );
}

function List({ list, ordinal, glued }: { list: Tokens.List; ordinal: number | undefined; glued: boolean }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever appended
    <li key={index} className={item.task ? 'task' : undefined}>
      {item.task ? <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span> : null}
      {nested(item.tokens)}
    </li>
  ));
  const className = glued ? 'glued' : undefined;
  if (!list.ordered) return <ul className={className}>{items}</ul>;
  return (
    <ol className={className} start={ordinal ?? (Number(list.start) || 1)}>
      {items}
    </ol>
  );
}

const nested = (tokens: readonly Token[]): ReactNode =>
  tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever appended
    <Fragment key={index}>{renderBlock(token)}</Fragment>
  ));

const renderInline = (token: Token): ReactNode =>
  'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : token.raw;

/** Renders a table, which scrolls if it is wider than the page. A long table has several parts; only the first has a header. */
function Table({ table, glued }: { table: Tokens.Table; glued: boolean }) {
  const alignOf = (column: number) => table.align[column] ?? undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table" tabIndex={0} aria-label="Table">
      <table>
        <thead className={glued ? 'unseen' : undefined}>
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other names
              <th key={column} className={alignOf(column)}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever appended
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other names
                <td key={column} className={alignOf(column)}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
