/** Defines the part of the DOM that the parser uses. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string;
  readonly childNodes: Iterable<PageNode>;
  getAttribute(name: string): string | null;
}

export const ELEMENT = 1;
export const TEXT = 3;
