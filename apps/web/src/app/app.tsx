/** The whole page: asks for a token if the server needs one, then shows the navigation and the current route. */
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
} from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { MESSAGE_ID } from '../base/focus-message.ts';
import { ROOT_PATH } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { NewChatPage } from '../chat/new-chat-page.tsx';
import { access } from '../kernel/access.ts';
import { KernelContext } from '../kernel/context.ts';
import { Kernel } from '../kernel/kernel.ts';
import { useOwnerRequests } from '../kernel/owner-requests.ts';
import { GlobalKeys } from '../nav/global-keys.tsx';
import { Navigation } from '../nav/navigation.tsx';
import { NotFound } from '../nav/not-found.tsx';
import { PAGES, type PagePath } from '../nav/pages.ts';
import { NoticeList } from '../parts/notice-list.tsx';
import { TokenPrompt } from './token-prompt.tsx';

export function App() {
  const { token, asking, wrong } = useStore(access);
  return asking ? <TokenPrompt wrong={wrong} /> : <AuthenticatedApp key={token} token={token} />;
}

function AuthenticatedApp({ token }: { token: string | null }) {
  const kernel = useMemo(() => new Kernel(token), [token]);
  useEffect(() => () => kernel.close(), [kernel]);
  return (
    <KernelContext value={kernel}>
      <Router base={ROOT_PATH}>
        <SkipLinks />
        <Navigation />
        <main id={CONTENT_ID} tabIndex={-1}>
          <Routes />
        </main>
        <AppBadge />
        <GlobalKeys />
        <NoticeList />
      </Router>
    </KernelContext>
  );
}

/** Counts the requests that wait for the user on the icon of the installed app, where the system shows such a number. */
function AppBadge(): null {
  const { length: waiting } = useOwnerRequests();
  useEffect(() => {
    // The badge needs HTTPS and a permission on some systems; the title has the same number.
    navigator.setAppBadge?.(waiting).catch(() => {});
  }, [waiting]);
  return null;
}

/** The id of the main part of the page. */
const CONTENT_ID = 'content';

function SkipLinks() {
  const [path] = useLocation();
  const isChat = path.startsWith('/chats/');
  return (
    <div className="skip-links">
      <a href={`#${CONTENT_ID}`} onClick={focusTarget}>
        {isChat ? 'Skip to conversation' : 'Skip to content'}
      </a>
      {isChat || path === '/' ? (
        <a href={`#${MESSAGE_ID}`} onClick={focusTarget}>
          Skip to message box
        </a>
      ) : null}
    </div>
  );
}

/** Moves the focus without changing the address, whose hash names a message. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  // The element that scrolls, so that the arrow keys scroll it.
  const scroller = target?.querySelector<HTMLElement>('[role="log"], .page-body');
  (scroller ?? target)?.focus();
}

/** Maps addresses to pages. Pages other than chats are loaded when they are first opened. */
const COMPONENTS: Readonly<Record<PagePath, ComponentType>> = {
  '/usage': lazy(() => import('../pages/usage-page.tsx')),
  '/modules': lazy(() => import('../pages/modules-page.tsx')),
  '/machines': lazy(() => import('../pages/machines-page.tsx')),
  '/memory': lazy(() => import('../pages/memory-page.tsx')),
  '/persons': lazy(() => import('../pages/persons-page.tsx')),
  '/videos': lazy(() => import('../pages/videos-page.tsx')),
  '/books': lazy(() => import('../pages/books-page.tsx')),
  '/schedules': lazy(() => import('../pages/schedules-page.tsx')),
  '/permissions': lazy(() => import('../pages/permissions-page.tsx')),
  '/settings': lazy(() => import('../pages/settings-page.tsx')),
};

function Routes(): ReactNode {
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/">
          <NewChatPage />
        </Route>
        <Route path="/chats/:id">{({ id }) => <ChatPage key={id} id={id} />}</Route>
        {PAGES.map(({ path }) => (
          <Route key={path} path={path} component={COMPONENTS[path]} />
        ))}
        <Route>
          <NotFound title="Page not found" about="No page has this address." />
        </Route>
      </Switch>
    </Suspense>
  );
}
