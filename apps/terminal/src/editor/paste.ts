/** Handles pastes: short text is inserted, long text becomes one character, an image path an attachment. */
import { fileURLToPath } from 'node:url';
import { unquoted } from '../text/normalize.ts';
import { attach, replaceRange } from './change.ts';
import { cleaned, type EditorState } from './state.ts';

interface PasteStep {
  readonly state: EditorState;
  /** Path of an image that the app should read and `attach`, or insert as text if it can't; null if there is none. */
  readonly path: string | null;
}

const MANY_LINES = 8;
const MANY_CHARS = 1000;
const IMAGE_PATH = /\.(png|jpe?g|gif|webp)$/i;
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** @param pasted the content of a bracketed paste */
export function paste(state: EditorState, pasted: string): PasteStep {
  const text = cleaned(pasted);
  const data = DATA_URL.exec(text.trim());
  if (data) {
    const [, media_type, bytes] = data;
    const name = media_type!.replace('/', '.');
    const chip = { kind: 'image', name, media_type: media_type!, data: bytes!.replace(/\s/g, '') } as const;
    return { state: attach(state, chip), path: null };
  }
  const path = imagePath(text);
  if (path !== null) return { state, path };
  const lines = text.split('\n').length;
  if (lines > MANY_LINES || text.length > MANY_CHARS) {
    return { state: attach(state, { kind: 'text', text }), path: null };
  }
  return { state: replaceRange(state, state.cursor, state.cursor, text), path: null };
}

/** Terminals paste the path of a dropped file: quoted, escaped, or as a URL. */
function imagePath(text: string): string | null {
  const bare = unquoted(text.trim());
  if (bare.includes('\n') || !IMAGE_PATH.test(bare)) return null;
  if (bare.startsWith('file://') && URL.canParse(bare)) {
    try {
      return fileURLToPath(bare);
    } catch {
      // A file URL of another machine is plain text.
      return null;
    }
  }
  return /^(\/|~\/|\.{1,2}\/|[A-Za-z]:\\)/.test(bare) ? bare.replace(/\\([ ()'"&[\]])/g, '$1') : null;
}
