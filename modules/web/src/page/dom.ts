/** The little of a document that is read here. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string;
  readonly childNodes: Iterable<PageNode>;
  getAttribute(name: string): string | null;
}

export const ELEMENT = 1;
export const TEXT = 3;
