/** Makes an address for bytes in memory, so that the document does not contain them as text. */
import { useEffect, useState } from 'react';

/** Returns null until the address exists. @param data in base64 */
export function useObjectAddress(data: string, type: string): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([decodeBase64(data)], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data, type]);
  return address;
}

/** Returns nothing for damaged data, which shows as an image that cannot be loaded. */
function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(data), character => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
