/** The frame of every page that is no chat. */
import { type ReactNode, useEffect } from 'react';
import { MenuButton } from '../nav/menu-button.tsx';

interface PageProps {
  title: string;
  about: string;
  children: ReactNode;
}

export function Page({ title, about, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Chat Kernel`;
  }, [title]);
  return (
    <section className="page-view" aria-label={title}>
      <header className="chat-header">
        <MenuButton />
        <h1>{title}</h1>
      </header>
      <div className="page-body">
        <div className="page-column">
          <p className="about">{about}</p>
          {children}
        </div>
      </div>
    </section>
  );
}

/** A part of a page, with its own heading. */
export function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {about ? <p className="hint">{about}</p> : null}
      {children}
    </section>
  );
}
