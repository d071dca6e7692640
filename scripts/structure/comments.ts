/** How many comments there are, and how many open with a word that stands for something else. */
import { parseSync } from 'vite';

interface Comments {
  /** Lines of `//` that follow each other are one comment. */
  comments: number;
  /** Lines that hold a comment and no code. */
  commentLines: number;
  /** All lines, empty ones included. */
  lines: number;
  pronouns: number;
}

/** A sentence that opens with one of these has no noun as its subject. */
const PRONOUNS = new Set(
  [
    'What Whatever Which Whichever Who Whoever Whom Whose One Of So It Its He She They Their We You I',
    'This That These Those Such None Nobody Nothing Everybody Everyone Everything',
    'Somebody Someone Something Anybody Anyone Anything',
  ].flatMap(line => line.split(' ')),
);

/** @param sources file → text */
export function commentsIn(sources: ReadonlyMap<string, string>): Comments {
  const sum: Comments = { comments: 0, commentLines: 0, lines: 0, pronouns: 0 };
  for (const [file, text] of sources) {
    const found = commentsOf(file, text);
    sum.comments += found.length;
    sum.commentLines += found.reduce((lines, comment) => lines + comment.lines, 0);
    sum.lines += text.split('\n').length - 1;
    sum.pronouns += found.filter(comment => PRONOUNS.has(comment.firstWord)).length;
  }
  return sum;
}

interface Comment {
  firstWord: string;
  lines: number;
}

function commentsOf(file: string, text: string): Comment[] {
  const found: Comment[] = [];
  let lastLine = { end: -1, indent: '' };
  for (const { type, value, start, end } of parseSync(file, text).comments) {
    const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    const alone = indent.trim() === '';
    const goesOn =
      type === 'Line' &&
      alone &&
      lastLine.end >= 0 &&
      text.slice(lastLine.end, start) === `\n${lastLine.indent}`;
    if (goesOn) found.at(-1)!.lines++;
    else found.push({ firstWord: firstWord(value), lines: alone ? value.split('\n').length : 0 });
    lastLine = type === 'Line' && alone ? { end, indent } : { end: -1, indent: '' };
  }
  return found;
}

const firstWord = (comment: string): string => /^[\s*]*([\p{L}']+)/u.exec(comment)?.[1] ?? '';
