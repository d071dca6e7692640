/**
 * Renders formulas in Markdown. The renderer is loaded with the first formula. Until then, or on failure, the source
 * is shown.
 */
import type { MathToken } from '@chat-kernel/text/markdown';
import { Suspense, use } from 'react';

export function Formula({ token }: { token: MathToken }) {
  return (
    <Suspense fallback={<Source token={token} />}>
      <Drawn token={token} />
    </Suspense>
  );
}

const Source = ({ token }: { token: MathToken }) => <code>{token.raw.trim()}</code>;

/** Shared by all formulas, because `use` needs the same promise each time. */
let drawing: Promise<typeof import('./draw-math.ts') | null> | undefined;

function Drawn({ token }: { token: MathToken }) {
  drawing ??= import('./draw-math.ts').catch(() => null);
  return use(drawing)?.drawMath(token.text, token.display) ?? <Source token={token} />;
}
