/**
 * Builds the address to which authorization servers redirect the owner's browser after a sign-in to a guest (MCP-5).
 */

/** Path of the redirect route; it is registered with authorization servers. */
export const CALLBACK_PATH = '/v1/guests/callback';

/**
 * @param publicUrl null if clients reach the kernel at the address on which it listens
 * @param url of the kernel, on which it listens
 */
export function callbackUrl(publicUrl: string | null, url: string): string {
  const address = new URL(publicUrl ?? url);
  // A browser cannot open "all addresses of the machine".
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = '127.0.0.1';
  const { origin, pathname } = address;
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${CALLBACK_PATH}`;
}
