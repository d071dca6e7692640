/** Renders TeX as MathML elements from the parser's tree. The parser's markup is never used. */
import { createElement, type ReactNode } from 'react';
import temml from 'temml';

/** The parser's tree: elements, text, and fragments without a type. */
interface Node {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  style?: Record<string, string>;
  classes?: readonly string[];
  children?: readonly Node[];
}

/** The type declarations name this function without its two leading underscores. */
const parser = temml as unknown as { __renderToMathMLTree(tex: string, options: object): Node };

/** Real formulas are shorter. The limit protects against input that is expensive to parse. */
const LONGEST = 5000;

/** Returns null if the source is not a valid formula. */
export function drawMath(tex: string, display: boolean): ReactNode {
  if (tex.length > LONGEST) return null;
  try {
    const options = { displayMode: display, throwOnError: true, maxExpand: 200, trust: false };
    return renderNode(parser.__renderToMathMLTree(tex, options), 0);
  } catch {
    return null;
  }
}

function renderNode(
  { type, text, attributes = {}, style = {}, classes = [], children = [] }: Node,
  key: number,
): ReactNode {
  if (type === undefined || type === 'text') return text ?? children.map(renderNode);
  // Allow only MathML elements.
  if (!/^(?:m[a-z]+|semantics)$/.test(type)) return null;
  const plain = Object.entries(attributes).filter(([name]) => !/^(?:on|href|src|style|xlink)/i.test(name));
  return createElement(
    type,
    { ...Object.fromEntries(plain), key, style, ...(classes.length > 0 && { className: classes.join(' ') }) },
    ...(text === undefined ? children.map(renderNode) : [text]),
  );
}
