/** Gives the marks of a response the texts of its footnotes. */
import type { Footnote } from '@chat-kernel/text/markdown';
import { createContext } from 'react';

/** By label. */
export const FootnotesContext = createContext<ReadonlyMap<string, Footnote>>(new Map());
