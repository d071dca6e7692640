/** Converts lines to a string for the terminal. Only this file writes escape sequences for text. */
import type { Colour, Line, Style } from './line.ts';

export interface TerminalCapabilities {
  readonly colours: boolean;
  /** Styles other than colors. */
  readonly styles: boolean;
  readonly links: boolean;
  readonly images: 'kitty' | 'iterm' | null;
}

const COLOURS: Record<Colour, number> = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 };

/** Detects the terminal's capabilities from environment variables. NO_COLOR disables colors, but not other styles. */
export function detectCapabilities(env: Readonly<Record<string, string | undefined>>): TerminalCapabilities {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  const dumb = TERM === 'dumb';
  const kitty = env.KITTY_WINDOW_ID !== undefined || TERM === 'xterm-kitty' || TERM_PROGRAM === 'ghostty';
  const iterm = TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm';
  // Terminal multiplexers drop unknown sequences.
  const direct = env.TMUX === undefined && env.STY === undefined;
  const linking =
    kitty ||
    iterm ||
    ['vscode', 'Hyper', 'Tabby'].includes(TERM_PROGRAM) ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined ||
    Number(env.VTE_VERSION ?? 0) >= 5000;
  return {
    colours: !dumb && !env.NO_COLOR,
    styles: !dumb,
    links: !dumb && direct && linking,
    images: dumb || !direct ? null : kitty ? 'kitty' : iterm ? 'iterm' : null,
  };
}

/** Joins lines to one string. Each line resets its style, so that the string can be cut between lines. */
export const paint = (lines: readonly Line[], capabilities: TerminalCapabilities): string =>
  lines.map(each => paintLine(each, capabilities)).join('\n');

function paintLine(spans: Line, capabilities: TerminalCapabilities): string {
  return spans
    .map(({ text, style }) => {
      const codes = capabilities.styles ? toSgrCodes(style, capabilities.colours) : [];
      const styled = codes.length > 0 && text !== '' ? `\u001b[${codes.join(';')}m${text}\u001b[0m` : text;
      return style.link !== undefined && capabilities.links
        ? `\u001b]8;;${style.link}\u0007${styled}\u001b]8;;\u0007`
        : styled;
    })
    .join('');
}

function toSgrCodes(style: Style, colours: boolean): number[] {
  return [
    style.bold ? 1 : 0,
    style.dim ? 2 : 0,
    style.italic ? 3 : 0,
    style.underline ? 4 : 0,
    style.inverse ? 7 : 0,
    style.strike ? 9 : 0,
    style.colour && colours ? COLOURS[style.colour] : 0,
  ].filter(code => code !== 0);
}
