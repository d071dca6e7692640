/** Maps addresses to pages. Pages other than chats are loaded when they are first opened. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { ChatPage } from '../chat/chat-page.tsx';
import { NewChatPage } from '../chat/new-chat-page.tsx';
import { NotFound } from '../nav/not-found.tsx';
import { PAGES, type PagePath } from '../nav/pages.ts';

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

export function Routes(): ReactNode {
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
