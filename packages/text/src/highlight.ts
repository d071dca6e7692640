/** Highlights source code: texts with the classes of the highlighter. */
import { common, createLowlight } from 'lowlight';

type Lowlight = ReturnType<typeof createLowlight>;
type Node = ReturnType<Lowlight['highlight']>['children'][number];

/** A text and the names of its classes, the outermost first; none for plain text. */
export type HighlightedText = readonly [text: string, names: readonly string[]];

/** Grammars are slow on longer lines, which are mostly generated code. */
const MAX_LINE_CHARS = 2000;

let grammars: Lowlight | undefined;

/** Returns the text in pieces; null if the language is unknown, or a line too long. */
export function highlightCode(text: string, language: string): HighlightedText[] | null {
  grammars ??= createLowlight(common);
  const name = language.toLowerCase();
  if (!grammars.registered(name) || text.split('\n').some(line => line.length > MAX_LINE_CHARS)) return null;
  return [...piecesOf(grammars.highlight(name, text).children, [])];
}

/** `hljs-built_in` is the class with the name `built_in`. */
function* piecesOf(nodes: readonly Node[], outer: readonly string[]): Generator<HighlightedText> {
  for (const node of nodes) {
    if (node.type === 'text') yield [node.value, outer];
    if (node.type !== 'element') continue;
    const { className } = node.properties;
    const first = Array.isArray(className) ? String(className[0]) : '';
    yield* piecesOf(node.children, first.startsWith('hljs-') ? [...outer, first.slice(5)] : outer);
  }
}
