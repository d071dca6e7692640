/** Where the page and its kernel are. The page may be shown under any path. */

/** The address of the root, without a slash at its end. Read once: the base of a document is a matter of its first address. */
export const ROOT = new URL('.', document.baseURI).href.replace(/\/$/, '');
/** The path of the root: empty at the top of a host. */
export const ROOT_PATH = new URL(`${ROOT}/`).pathname.replace(/\/$/, '');

/** Completes an address of the kernel such as `/images/...`. */
export const addressOf = (path: string): string => ROOT + path;

export const chatPath = (id: string, messageId?: string): string =>
  `/chats/${id}${messageId === undefined ? '' : `#${messageId}`}`;
