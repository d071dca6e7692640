/**
 * The one way by which an address of a program comes into the page: the browser refuses every other one, and every
 * string that is to become HTML.
 */
interface Policy {
  createScriptURL(address: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

/** @throws TypeError for an address of another origin */
export const programAddress: Policy = own(factory) ?? { createScriptURL: ofOwnOrigin };

function own(factory: Factory | undefined): Policy | undefined {
  return factory?.createPolicy('chat-kernel', { createScriptURL: ofOwnOrigin });
}

function ofOwnOrigin(address: string): string {
  const { origin, href } = new URL(address, document.baseURI);
  if (origin !== location.origin) throw new TypeError('A program of another origin.');
  return href;
}
