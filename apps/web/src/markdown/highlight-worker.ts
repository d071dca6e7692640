/** Worker that highlights code. It returns texts and class names, never HTML. */
import { common, createLowlight } from 'lowlight';

interface Node {
  type: string;
  value?: string;
  children?: readonly Node[];
  properties?: { className?: unknown };
}
type Piece = [text: string, name: string];

const grammars = createLowlight(common);
/** Grammars are slow on longer lines, which are mostly generated code. */
const LONGEST_LINE = 2000;

addEventListener('message', ({ data }: MessageEvent<{ id: number; text: string; language: string }>) => {
  const { id, text, language } = data;
  postMessage({ id, pieces: highlightCode(text, language.toLowerCase()) });
});

function highlightCode(text: string, language: string): Piece[] | null {
  if (!grammars.registered(language) || text.split('\n').some(line => line.length > LONGEST_LINE))
    return null;
  const pieces: Piece[] = [];
  collect(grammars.highlight(language, text).children as readonly Node[], '', pieces);
  return pieces;
}

function collect(nodes: readonly Node[], name: string, pieces: Piece[]): void {
  for (const { type, value = '', children = [], properties } of nodes) {
    if (type === 'text') pieces.push([value, name]);
    else collect(children, nameIn(properties?.className) ?? name, pieces);
  }
}

/** `hljs-built_in` → `built_in`. */
function nameIn(given: unknown): string | undefined {
  const [first] = Array.isArray(given) ? given : [];
  return typeof first === 'string' && first.startsWith('hljs-') ? first.slice(5) : undefined;
}
