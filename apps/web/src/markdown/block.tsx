/** Blocks of Markdown as elements. No text becomes HTML: every token has its element, and what has none is text. */
import type { MarkdownBlock, Token, Tokens } from '@chat-kernel/markdown';
import { Fragment, memo, type ReactNode } from 'react';
import { Code } from './code.tsx';
import { Inline } from './inline.tsx';
import { mathBlockOf } from './math.tsx';
import { Table } from './table.tsx';

interface BlockProps {
  block: MarkdownBlock;
  /** The block may still grow. */
  open: boolean;
  /** The whole text of the code that this block is a piece of. */
  wholeCode(block: MarkdownBlock): string;
}

export const Block = memo(function Block({ block, open, wholeCode }: BlockProps) {
  const { token, glued, ordinal } = block;
  if (token.type === 'code') {
    const { text, lang = '' } = token as Tokens.Code;
    return <Code text={text} lang={lang} glued={glued} open={open} whole={() => wholeCode(block)} />;
  }
  return elementOf(token, ordinal, glued);
});

function elementOf(token: Token, ordinal?: number, glued = false): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      // The page has headings of its own above these.
      const Heading = `h${Math.min(6, depth + 2)}` as 'h3';
      return (
        <Heading className={`depth-${depth}`}>
          <Inline tokens={tokens} />
        </Heading>
      );
    }
    case 'paragraph':
      return mathBlockOf(token.raw) ?? <p>{inlineOf(token)}</p>;
    case 'text':
      return inlineOf(token);
    case 'code':
      return (
        <Code
          text={(token as Tokens.Code).text}
          lang={(token as Tokens.Code).lang ?? ''}
          whole={() => (token as Tokens.Code).text}
        />
      );
    case 'list':
      return <List list={token as Tokens.List} ordinal={ordinal} glued={glued} />;
    case 'blockquote':
      return <blockquote>{nested(token.tokens ?? [])}</blockquote>;
    case 'table':
      return <Table table={token as Tokens.Table} glued={glued} />;
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
    <Fragment key={index}>{elementOf(token)}</Fragment>
  ));

const inlineOf = (token: Token): ReactNode =>
  'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : token.raw;
