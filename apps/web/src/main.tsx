/** Entry point of the page. */
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { programAddress } from './base/trusted.ts';
import { warmUp } from './rows/warm-up.ts';
import './style/index.css';

createRoot(document.getElementById('root')!).render(<App />);
warmUp();

// The service worker allows installation, offline start and notifications. It never stores API responses. It loads the
// whole page, so it starts after the first view.
if (import.meta.env.PROD) {
  const register = () =>
    navigator.serviceWorker?.register(programAddress.createScriptURL('service-worker.js')).catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
