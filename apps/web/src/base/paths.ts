/** Addresses of the page and its kernel. The page may be served under any path. */

/** The address of the root, without a trailing slash. Read once, because the document base follows the first address. */
export const ROOT = new URL('.', document.baseURI).href.replace(/\/$/, '');
/** The path of the root. Empty if the page is at the top of its host. */
export const ROOT_PATH = new URL(`${ROOT}/`).pathname.replace(/\/$/, '');

/** Returns the full address of a kernel path such as `/images/...`. */
export const toKernelUrl = (path: string): string => ROOT + path;

export const chatPath = (id: string, messageId?: string): string =>
  `/chats/${id}${messageId === undefined ? '' : `#${messageId}`}`;
