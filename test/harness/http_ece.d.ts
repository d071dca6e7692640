/** Types of the part of http_ece that tests use, which it lacks. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const ece: {
    /** Decrypts a body of aes128gcm (RFC 8188, 8291). */
    decrypt(body: Buffer, options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer;
  };
  export default ece;
}
