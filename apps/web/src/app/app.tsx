/** The page: the navigation beside what the address names, once the kernel lets it in. */
import { useEffect, useMemo } from 'react';
import { Router } from 'wouter';
import { ROOT_PATH } from '../base/place.ts';
import { useStore } from '../base/store.ts';
import { access } from '../kernel/access.ts';
import { KernelContext } from '../kernel/context.ts';
import { Kernel } from '../kernel/kernel.ts';
import { Navigation } from '../nav/navigation.tsx';
import { Palette } from '../nav/palette.tsx';
import { NoticeList } from '../parts/notice-list.tsx';
import { Routes } from './routes.tsx';
import { TokenPrompt } from './token-prompt.tsx';

export function App() {
  const { token, asking, wrong } = useStore(access);
  return asking ? <TokenPrompt wrong={wrong} /> : <Inside key={token} token={token} />;
}

function Inside({ token }: { token: string | null }) {
  const kernel = useMemo(() => new Kernel(token), [token]);
  useEffect(() => () => kernel.close(), [kernel]);
  return (
    <KernelContext value={kernel}>
      <Router base={ROOT_PATH}>
        <Navigation />
        <main>
          <Routes />
        </main>
        <Palette />
        <NoticeList />
      </Router>
    </KernelContext>
  );
}
