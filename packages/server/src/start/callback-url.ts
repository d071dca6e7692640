/** Where authorization servers send the owner's browser after a sign-in to a guest (MCP-5). */

/** Path of the route that takes the browser; authorization servers have it in their registers. */
export const CALLBACK_PATH = '/v1/guests/callback';

/**
 * @param publicUrl null: people reach the kernel where it listens
 * @param url of the kernel, as it listens
 */
export function callbackUrl(publicUrl: string | null, url: string): string {
  const address = new URL(publicUrl ?? url);
  // No browser goes to "all addresses of the machine".
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = '127.0.0.1';
  const { origin, pathname } = address;
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${CALLBACK_PATH}`;
}
