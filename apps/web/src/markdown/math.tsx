/** Formulas in Markdown. What draws them is loaded with the first one; until then, and where it fails, the source stands there. */
import { type ReactNode, Suspense, use } from 'react';

/** `$$...$$`, `\[...\]`, `\(...\)`, and `$...$` where no digit follows, as it does behind a price. */
const INLINE = /(\$\$[^$]+\$\$|\\\([^)]+\\\)|\$(?=[^\s$])[^$\n]*[^\s$\\]\$(?!\d))/;
const BLOCK = /^\s*(?:\$\$([^$]+)\$\$|\\\[([^\]]+)\\\])\s*$/;

/** Returns the text with its formulas as elements. */
export function withMath(text: string): ReactNode {
  if (!text.includes('$') && !text.includes('\\(')) return text;
  return text.split(INLINE).map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other names
      <Formula key={index} source={piece} tex={inside(piece)} display={piece.startsWith('$$')} />
    ) : (
      piece
    ),
  );
}

/** Returns the formula where a paragraph is nothing but one, else null. */
export function mathBlockOf(raw: string): ReactNode {
  const found = BLOCK.exec(raw);
  const tex = found?.[1] ?? found?.[2];
  return tex === undefined ? null : (
    <div className="formula">
      <Formula source={raw} tex={tex} display />
    </div>
  );
}

const inside = (piece: string): string =>
  piece.startsWith('$$') || piece.startsWith('\\') ? piece.slice(2, -2) : piece.slice(1, -1);

interface FormulaProps {
  source: string;
  tex: string;
  display: boolean;
}

function Formula(props: FormulaProps) {
  const source = <code>{props.source.trim()}</code>;
  return (
    <Suspense fallback={source}>
      <Drawn {...props} />
    </Suspense>
  );
}

/** One promise for all formulas: `use` wants the same one each time. */
let drawing: Promise<typeof import('./draw-math.ts') | null> | undefined;

function Drawn({ source, tex, display }: FormulaProps) {
  drawing ??= import('./draw-math.ts').catch(() => null);
  const drawn = use(drawing)?.drawMath(tex, display) ?? null;
  return drawn ?? <code>{source.trim()}</code>;
}
