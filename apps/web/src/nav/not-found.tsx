/** A page or a chat that cannot be shown, with the way back. */
import { Link } from 'wouter';
import { Empty } from '../parts/empty.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { MenuButton } from './menu-button.tsx';

export function NotFound({ title, about }: { title: string; about: string }) {
  usePageTitle(title);
  return (
    <section className="page-view" aria-label={title}>
      <header className="chat-header">
        <MenuButton />
        <h1>{title}</h1>
      </header>
      <Empty title={about}>
        <p className="way-back">
          <Link className="button" href="/">
            Back to chats
          </Link>
        </p>
      </Empty>
    </section>
  );
}
