/** Finds an address in a text, as a whole and not as a part of a longer one (CONSENT-4). */

/** The maximum number of characters around an address that decide whether it is a whole one. */
const CONTEXT_CHARS = 30;

/** The end of a text before an address that is part of a longer one, such as the target of a redirect. */
const CONTINUED_BY_ADDRESS = /[\p{L}\p{N}/?=&%#@~+_-]$/u;

/** The text after a whole address: the punctuation of a sentence or a list, then a character that no address has. */
const AFTER_ADDRESS = /^[.,;:!?*)\]}'…]{0,20}(?:$|[\s<>"`|^{}[]|\\[nrt"]|[^\p{ASCII}\p{L}\p{N}\p{M}])/u;

/** Whether a text names an address. People leave out the slash of a host without a path. */
export function namesAddress(text: string, address: string): boolean {
  if (hasWhole(text, address)) return true;
  const isHost = address.endsWith('/') && URL.parse(address)?.pathname === '/';
  return isHost && hasWhole(text, address.slice(0, -1));
}

function hasWhole(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length;
    const before = text.slice(Math.max(0, at - CONTEXT_CHARS), at);
    const after = text.slice(end, end + CONTEXT_CHARS);
    if (!CONTINUED_BY_ADDRESS.test(before) && AFTER_ADDRESS.test(after)) return true;
  }
  return false;
}
