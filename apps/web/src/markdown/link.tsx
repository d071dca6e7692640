/** A link in untrusted text: it shows its host, opens in a new tab, and sends no referrer. */
import { webAddress } from '@chat-kernel/text';
import type { ReactNode } from 'react';
import { Exact } from '../parts/exact.tsx';
import { Icon } from '../parts/icon.tsx';

interface ForeignLinkProps {
  href: string;
  /** The link text as written. */
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
      {isNamed ? null : <span className="leads-to"> ({displayHost(address)})</span>}
    </>
  );
}

/** An image on another server. It opens on request only, because loading it would reveal that the message was read. */
export function RemoteImage({ href, text }: { href: string; text: string }) {
  const address = webAddress(href);
  return (
    <span className="remote-image">
      <Icon name="image" />
      {text || 'Image'}{' '}
      {address === null ? (
        <span className="dead-link">
          (<Exact text={href} />)
        </span>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
          Open on {displayHost(address)}
        </a>
      )}
    </span>
  );
}

/** Returns the host as the browser requests it, so that lookalike names are visible as punycode. */
function displayHost(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'mailto:' ? pathname : host;
}
