/** The inline tokens of a paragraph as elements. */
import type { Token, Tokens } from '@chat-kernel/markdown';
import { Fragment, type ReactNode } from 'react';
import { decoded } from './entities.ts';
import { ForeignLink } from './link.tsx';
import { withMath } from './math.tsx';

export function Inline({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever appended
    <Fragment key={index}>{elementOf(token)}</Fragment>
  ));
}

function elementOf(token: Token): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : null;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'link':
      return (
        <ForeignLink href={(token as Tokens.Link).href} text={(token as Tokens.Link).text}>
          {inner}
        </ForeignLink>
      );
    case 'image': {
      // Nothing is loaded from elsewhere: an address can tell somebody that, and what, was read.
      const { href, text } = token as Tokens.Image;
      return (
        <ForeignLink href={href} text={text}>
          [image: {text || href}]
        </ForeignLink>
      );
    }
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return inner ?? withMath(decoded((token as Tokens.Text).text));
    // HTML is shown as the text that it is, and so are tokens that a later parser may return.
    default:
      return token.raw;
  }
}
