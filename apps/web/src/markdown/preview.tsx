/**
 * Shows code as a picture or a page, in a frame that reaches neither the page nor the network: the frame is sandboxed
 * without an origin, and the kernel serves it with a policy that allows no addresses. The page sends it the code, and
 * decides about its size.
 */
import address from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../base/text.ts';
import frameAddress from './preview-frame.html?url';
import type { PreviewKind } from './preview-kind.ts';

const MIN_HEIGHT = 64;
const MAX_HEIGHT = 640;
const MAX_ERROR_CHARS = 300;

export default function Preview({ kind, source }: { kind: PreviewKind; source: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // Diagrams have the colors of the page; pages and pictures are made for white.
  const [scheme] = useState(() =>
    kind === 'mermaid' && matchMedia('(prefers-color-scheme: dark)').matches ? '#dark' : '',
  );
  const [height, setHeight] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isSent = false;
    const send = async () => {
      const program = kind === 'mermaid' ? await loadMermaid() : null;
      // The frame has no origin that could be named here. Only this code is sent to it.
      frame.current?.contentWindow?.postMessage({ kind, source, program }, '*');
    };
    const onMessage = ({ source: sender, data }: MessageEvent<unknown>) => {
      if (sender === null || sender !== frame.current?.contentWindow) return;
      const { ready, height: wanted, error: problem } = Object(data) as Record<string, unknown>;
      if (ready === true && !isSent) {
        isSent = true;
        send().catch(() => setError('The diagram program could not be loaded.'));
      }
      if (typeof wanted === 'number' && wanted > 0)
        setHeight(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(wanted))));
      if (typeof problem === 'string') setError(problem.slice(0, MAX_ERROR_CHARS));
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [kind, source]);
  if (error !== null)
    return (
      <div className="preview failed">
        <p role="alert">This can't be shown. {error}</p>
        <pre>{source}</pre>
      </div>
    );
  return (
    <iframe
      ref={frame}
      className={classes('preview', kind)}
      title="Preview"
      src={frameAddress + scheme}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      style={{ height: height ?? MIN_HEIGHT * 3 }}
    />
  );
}

let program: Promise<string> | undefined;

/**
 * Loads the program that draws Mermaid diagrams as a text: it runs only in a frame without a network.
 * @throws Error if the kernel is unreachable; the next call tries again
 */
function loadMermaid(): Promise<string> {
  program ??= load().catch(error => {
    program = undefined;
    throw error;
  });
  return program;
}

async function load(): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The kernel answered ${response.status}.`);
  return response.text();
}
