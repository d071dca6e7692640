/** A link that somebody else wrote: it says where it leads, opens beside this page, and tells nobody where it came from. */
import type { ReactNode } from 'react';
import { Exact } from '../parts/exact.tsx';

interface ForeignLinkProps {
  href: string;
  /** The words of the link, as written. */
  text: string;
  children: ReactNode;
}

export function ForeignLink({ href, text, children }: ForeignLinkProps) {
  const address = webAddress(href);
  if (address === null) {
    return (
      <span className="dead-link">
        {children} (<Exact text={href} />)
      </span>
    );
  }
  const isNamed = text === href || `mailto:${text}` === href || `${text}/` === address;
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
        {children}
      </a>
      {isNamed ? null : <span className="leads-to"> ({hostOf(address)})</span>}
    </>
  );
}

/** The normalised address of the web or of mail, else null: no other scheme becomes a link. */
function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return /^(https?|mailto):$/.test(protocol) ? href : null;
}

/** As the browser will ask for it: a name in other letters shows as what it is. */
function hostOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'mailto:' ? pathname : host;
}
