/** Decides which code can be shown as a picture or a page. */

export type PreviewKind = 'mermaid' | 'html' | 'svg';

const KINDS: Readonly<Record<string, PreviewKind>> = {
  mermaid: 'mermaid',
  html: 'html',
  htm: 'html',
  svg: 'svg',
};

/** @param text the beginning of the code */
export function previewKind(language: string, text: string): PreviewKind | null {
  const name = language.toLowerCase();
  if (name === 'xml') return /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(text) ? 'svg' : null;
  return Object.hasOwn(KINDS, name) ? KINDS[name]! : null;
}
