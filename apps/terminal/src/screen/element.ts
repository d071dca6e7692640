/** Lines as an element of Ink, and the one name for making elements: there is no JSX without a build. */
import { Text } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { Line } from '../text/line.ts';
import { type Capabilities, paint } from '../text/paint.ts';

export const h = createElement;

/** Lines that fit already: Ink neither wraps nor styles them. */
export const drawn = (
  lines: readonly Line[],
  capabilities: Capabilities,
  key?: string,
): ReactElement | null =>
  lines.length === 0 ? null : h(Text, { key, wrap: 'truncate-end' }, paint(lines, capabilities) || ' ');
