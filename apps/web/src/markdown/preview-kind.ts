/** Decides which code can be shown as a picture or a page. */

export type PreviewKind = 'mermaid' | 'html' | 'svg';

/** @param text the beginning of the code */
export function previewKind(language: string, text: string): PreviewKind | null {
  switch (language.toLowerCase()) {
    case 'mermaid':
      return 'mermaid';
    case 'html':
    case 'htm':
      return 'html';
    case 'svg':
      return 'svg';
    case 'xml':
      return /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(text) ? 'svg' : null;
    default:
      return null;
  }
}
