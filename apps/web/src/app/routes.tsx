/** Which page stands at which address. Those besides chats are loaded when they are first opened. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { ChatPage } from '../chat/chat-page.tsx';
import { NewChatPage } from '../chat/new-chat-page.tsx';
import { Empty } from '../parts/empty.tsx';

const SettingsPage = lazy(() => import('../pages/settings-page.tsx'));
const ModulesPage = lazy(() => import('../pages/modules-page.tsx'));
const MachinesPage = lazy(() => import('../pages/machines-page.tsx'));
const MemoryPage = lazy(() => import('../pages/memory-page.tsx'));
const PersonsPage = lazy(() => import('../pages/persons-page.tsx'));
const VideosPage = lazy(() => import('../pages/videos-page.tsx'));
const BooksPage = lazy(() => import('../pages/books-page.tsx'));
const SchedulesPage = lazy(() => import('../pages/schedules-page.tsx'));
const UsagePage = lazy(() => import('../pages/usage-page.tsx'));

export function Routes(): ReactNode {
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/">
          <NewChatPage />
        </Route>
        <Route path="/chats/:id">{({ id }) => <ChatPage key={id} id={id} />}</Route>
        <Route path="/settings" component={SettingsPage} />
        <Route path="/modules" component={ModulesPage} />
        <Route path="/machines" component={MachinesPage} />
        <Route path="/memory" component={MemoryPage} />
        <Route path="/persons" component={PersonsPage} />
        <Route path="/videos" component={VideosPage} />
        <Route path="/books" component={BooksPage} />
        <Route path="/schedules" component={SchedulesPage} />
        <Route path="/usage" component={UsagePage} />
        <Route>
          <Empty title="There is no such page." />
        </Route>
      </Switch>
    </Suspense>
  );
}
