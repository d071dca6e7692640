/** How a browser is told the name of a file, and whether to show it or to save it (RFC 6266). */

/** What a browser can show without running anything of it. SVG is an image that runs scripts. */
export const isShownInPlace = (mediaType: string): boolean =>
  /^(audio|video)\/|^image\/(?!.*(svg|xml))|^application\/pdf$|^text\/plain$/.test(mediaType);

/** Both forms of the name: in ASCII for those who know no better, and as it is. */
export function dispositionOf(way: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `${way}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** RFC 8187: less may stand bare than `encodeURIComponent` leaves. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
