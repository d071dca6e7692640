/** Lists lint rules that the document does not follow, each with its reason. All others apply, including warnings. */

/** Spectral's rule → why it is off. Redocly's are all on. */
export const RULES_OFF: Readonly<Record<string, string>> = {
  'info-contact': 'Who answers for a kernel is whoever runs it; the program knows no address of theirs.',
  'license-url': 'OpenAPI 3.1 allows an identifier or an address, not both, and names the licence by SPDX.',
  'openapi-tags-alphabetical': 'The tags stand as the reference is read: chats first, operation last.',
};
