/**
 * Builds the header Content-Disposition (RFC 6266): the name of a file, and whether a browser shows or saves it
 * (docs/decisions/0022).
 */

/**
 * True for types that a browser can show without running code in them. SVG is excluded, because it can contain scripts.
 */
export const isShownInPlace = (mediaType: string): boolean =>
  // bounded: a media type has at most 200 characters.
  /^(audio|video)\/|^image\/(?!.*(svg|xml))|^application\/pdf$|^text\/plain$/.test(mediaType);

/** Returns the header with both forms of the name: in ASCII for old clients, and unchanged. */
export function formatContentDisposition(way: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `${way}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** Encodes by RFC 8187, which allows fewer unencoded characters than `encodeURIComponent`. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
