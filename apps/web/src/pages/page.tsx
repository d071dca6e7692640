/** Layout of all pages except chats. */
import type { ReactNode } from 'react';
import { useDisconnected } from '../kernel/use-is-lost.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { StatusBar } from '../nav/status-bar.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';

interface PageProps {
  title: string;
  about: string;
  children: ReactNode;
}

export function Page({ title, about, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className="page-view">
      <header className="chat-header">
        <MenuButton />
        <h1>{title}</h1>
      </header>
      <StatusBar />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="page-body" aria-label={title} tabIndex={0}>
        <div className="page-column">
          <p className="about">{about}</p>
          {useDisconnected() ? (
            <p className="hint" role="status">
              Offline. This device does not store the content of this page. It loads when the connection is
              back.
            </p>
          ) : null}
          {children}
        </div>
      </section>
    </div>
  );
}

/** A section of a page with its own heading. */
export function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {about ? <p className="hint">{about}</p> : null}
      {children}
    </section>
  );
}
