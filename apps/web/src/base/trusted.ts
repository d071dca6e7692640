/**
 * Creates script addresses that the browser's Trusted Types policy accepts. The browser rejects every other script
 * address, and every string that would become HTML.
 */
interface Policy {
  createScriptURL(address: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const { trustedTypes } = globalThis as { trustedTypes?: Factory };
const OWN: Policy = {
  createScriptURL(address) {
    const { origin, href } = new URL(address, document.baseURI);
    if (origin !== location.origin) throw new TypeError('Scripts from other origins are not allowed.');
    return href;
  },
};

/** @throws TypeError for an address of another origin */
export const programAddress: Policy = trustedTypes?.createPolicy('chat-kernel', OWN) ?? OWN;
