/** Walks the syntax tree of a source file, without its types. */
import { type ESTree, parseSync } from 'vite';

export type Node = ESTree.Node;

/** Wrappers of an expression whose type part is skipped like every other type. */
const WITH_EXPRESSION = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];

/** Undefined if the text has a syntax error. */
export function parse(file: string, text: string): Node | undefined {
  const { program, errors } = parseSync(file, text);
  return errors.length > 0 ? undefined : program;
}

/**
 * Calls `visit` for each node, parents first.
 * @param visit returns false to skip what is inside the node; its second argument has the nearest parent last
 */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => boolean | undefined,
  parents: readonly Node[] = [],
): void {
  if (node.type.startsWith('TS') && !WITH_EXPRESSION.includes(node.type)) return;
  if (visit(node, parents) === false) return;
  const inside = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, inside);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
