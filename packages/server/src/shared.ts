/** Exports what other commands share with the server. It loads nothing of the kernel. */
export { mismatch } from './http/problems.ts';
export { formatUrl } from './http/url.ts';
export { modelLines, renderBanner } from './start/banner.ts';
export { skillDirectories } from './start/skill-directories.ts';
