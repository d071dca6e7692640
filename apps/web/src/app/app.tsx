/** The whole page: asks for a token if the server needs one, then shows the navigation and the current route. */
import {
  type ComponentType,
  type FormEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { MESSAGE_ID } from '../base/focus-message.ts';
import { ROOT_PATH } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { NewChatPage } from '../chat/new-chat-page.tsx';
import { access, giveToken } from '../kernel/access.ts';
import { KernelContext, useKernel } from '../kernel/context.ts';
import { Kernel } from '../kernel/kernel.ts';
import { useOwnerRequests } from '../kernel/owner-requests.ts';
import { GlobalKeys } from '../nav/global-keys.tsx';
import { Navigation } from '../nav/navigation.tsx';
import { NotFound } from '../nav/not-found.tsx';
import { PAGES, type PagePath } from '../nav/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckField } from '../parts/field.tsx';

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

/** Asks once for the access token. It is sent as a header of each request, never in an address. */
function TokenPrompt({ wrong }: { wrong: boolean }) {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const [isShown, setShown] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim()) giveToken(token.trim(), isKept);
  };
  return (
    <main className="token-prompt">
      <form onSubmit={submit}>
        <h1>Chat Kernel</h1>
        <p>Enter the access token for this server.</p>
        {/* Password managers store a password under a name. */}
        <input type="text" autoComplete="username" value="Chat Kernel" readOnly hidden />
        <div className="field">
          <label htmlFor={id}>Access token</label>
          <div className="token-row">
            <input
              ref={field}
              id={id}
              type={isShown ? 'text' : 'password'}
              {...NAMED}
              // biome-ignore lint/a11y/noAutofocus: the field is the only control on this page
              autoFocus
              autoComplete="current-password"
              autoCapitalize="off"
              spellCheck={false}
              value={token}
              onChange={event => setToken(event.target.value)}
            />
            <Button
              label="Show"
              aria-pressed={isShown}
              onClick={() => {
                setShown(shown => !shown);
                field.current?.focus();
              }}
            />
          </div>
        </div>
        {wrong ? (
          <p className="error" role="alert">
            Invalid access token.
          </p>
        ) : null}
        <CheckField label="Keep on this device" checked={isKept} onChange={setKept} />
        <Button label="Continue" type="submit" className="primary" disabled={!token.trim()} />
      </form>
    </main>
  );
}

/** Password managers fill password fields, which have no role by which tools could find them. */
const NAMED = { role: 'textbox' } as const;

/** Shows notices at the edge of the page. */
function NoticeList() {
  const { notices } = useKernel();
  const shown = useStore(notices.shown);
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={`notice ${kind}`}>
          <span>{text}</span>
          <IconButton label="Dismiss" icon="close" onClick={() => notices.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
