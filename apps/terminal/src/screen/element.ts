/** Creates Ink elements with `h`, because there is no build step for JSX. */
import { Text } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { Line } from '../text/line.ts';
import { paint, type TerminalCapabilities } from '../text/paint.ts';

export const h = createElement;

/** Renders lines that already fit, so that Ink neither wraps nor styles them. */
export const renderLines = (
  lines: readonly Line[],
  capabilities: TerminalCapabilities,
  key?: string,
): ReactElement | null =>
  lines.length === 0 ? null : h(Text, { key, wrap: 'truncate-end' }, paint(lines, capabilities) || ' ');
