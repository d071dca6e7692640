/** The program of the page. */
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { programAddress } from './base/trusted.ts';
import { warmUp } from './rows/warm-up.ts';
import './style/index.css';

createRoot(document.getElementById('root')!).render(<App />);
warmUp();

// Only for installing as an app, and for a start without the network: no answer of the kernel is ever kept.
if (import.meta.env.PROD) {
  navigator.serviceWorker?.register(programAddress.createScriptURL('service-worker.js')).catch(() => {});
}
