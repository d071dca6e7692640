/** Authentication. */
import type { Statement } from './statement.ts';

export const ACCESS: Readonly<Record<string, Statement>> = {
  'authentication.1': {
    says: 'The kernel itself asks for nothing.',
    by: ['guard.test.ts › [AUTH-1] requires no token, and ignores one that is sent'],
  },
  'authentication.2': {
    says: 'The proxy asks for X-Service-Token with the token.',
    by: [
      'test/proxy/document.system.test.ts › [AUTH-2] [AUTH-3] %s, rejects every operation except for the documented open ones',
      'test/proxy/document.system.test.ts › [AUTH-2] [AUTH-3] with the token, passes every operation to the kernel',
    ],
  },
  'authentication.3': {
    says: 'Without the token, /apidocs and /v1/openapi.json are open.',
    by: ['test/proxy/proxy.system.test.ts › [AUTH-2] opens the reference, files and images for reads only'],
  },
  'authentication.4': {
    says: 'Without the token, files and images are open.',
    by: [
      'test/proxy/proxy.system.test.ts › [AUTH-2] opens the reference, files and images for reads only',
      'test/proxy/document.system.test.ts › [AUTH-2] leaves exactly the documented routes open',
    ],
  },
  'authentication.5': {
    says: 'The key to an image is its uuid, which nobody guesses.',
    by: ['images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged'],
  },
  'authentication.6': {
    says: 'A module on the same machine asks the kernel at the loopback address.',
    by: [
      'modules.system.test.ts › [MOD-1] [MOD-5] passes the address of the kernel, and whether the turn has hands, to a module',
      'guard.test.ts › [AUTH-1] [AUTH-4] listens on loopback only by default',
    ],
  },
  'authentication.7': {
    says: 'A module elsewhere goes through the proxy with the token of its configuration.',
    by: [
      'packages/module-sdk/test/serve.system.test.ts › [MOD-11] waits at the start until the kernel is ready, sends it the token, and times out',
    ],
  },
  'authentication.8': {
    says: 'The kernel asks for no permission profile: the kind is only reserved.',
    by: [
      'document.test.ts › requests are operations and questions, and end for one of four reasons, without a permission kind',
    ],
  },
};
