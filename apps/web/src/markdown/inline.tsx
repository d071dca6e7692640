/** Renders inline Markdown tokens as elements. */
import { decodeEntities } from '@chat-kernel/text';
import type { Footnote, FootnoteMark, MathToken, Token, Tokens } from '@chat-kernel/text/markdown';
import { createContext, Fragment, type ReactNode, useContext, useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { ForeignLink, RemoteImage } from './link.tsx';
import { Formula } from './math.tsx';

interface InlineProps {
  tokens: readonly Token[];
  /** The tokens are the text of a link. */
  isLinked?: boolean;
}

export function Inline({ tokens, isLinked = false }: InlineProps): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever appended
    <Fragment key={index}>{renderToken(token, isLinked)}</Fragment>
  ));
}

function renderToken(token: Token, isLinked: boolean): ReactNode {
  const inner =
    'tokens' in token && token.tokens ? (
      <Inline tokens={token.tokens} isLinked={isLinked || token.type === 'link'} />
    ) : null;
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del': {
      const Emphasis = token.type;
      return <Emphasis>{inner}</Emphasis>;
    }
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'link':
      return (
        <ForeignLink href={(token as Tokens.Link).href} text={(token as Tokens.Link).text}>
          {inner}
        </ForeignLink>
      );
    case 'image': {
      const { href, text } = token as Tokens.Image;
      // A link contains no other link.
      return isLinked ? text || 'Image' : <RemoteImage href={href} text={text} />;
    }
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return inner ?? decodeEntities((token as Tokens.Text).text);
    case 'footnote_mark':
      return isLinked ? token.raw : <Mark token={token as FootnoteMark} />;
    case 'math':
      return <Formula token={token as MathToken} />;
    // HTML is shown as the text that it is, and so are tokens that a later parser may return.
    default:
      return token.raw;
  }
}

/**
 * Shows the text of a footnote in place, because the end of a long response may not be in the document. A mark without
 * a text stays as it is written.
 */
function Mark({ token: { label, raw } }: { token: FootnoteMark }) {
  const note = useContext(FootnotesContext).get(label);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (note === undefined) return raw;
  return (
    <>
      <sup className="footnote-mark">
        <Button
          label={label}
          aria-label={`Footnote ${label}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        />
      </sup>
      {isOpen ? (
        <span id={id} className="note-in-place" role="note">
          <Inline tokens={note.tokens} />
        </span>
      ) : null}
    </>
  );
}

/** The texts of the footnotes of a response, by label. */
export const FootnotesContext = createContext<ReadonlyMap<string, Footnote>>(new Map());
