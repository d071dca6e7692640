/** The whole page: asks for a token if the server needs one, then shows the navigation and the current route. */
import { useEffect, useMemo } from 'react';
import { Router } from 'wouter';
import { ROOT_PATH } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { access } from '../kernel/access.ts';
import { KernelContext } from '../kernel/context.ts';
import { Kernel } from '../kernel/kernel.ts';
import { GlobalKeys } from '../nav/global-keys.tsx';
import { Navigation } from '../nav/navigation.tsx';

import { NoticeList } from '../parts/notice-list.tsx';
import { AppBadge } from './app-badge.ts';
import { Routes } from './routes.tsx';
import { CONTENT_ID, SkipLinks } from './skip-links.tsx';
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
