/**
 * Lists the files that make git, a shell, an editor, an assistant or the system run something (CONSENT-6), and decides
 * which edits a lasting approval covers (HANDS-7). Paths are compared only as text; the machine itself resolves links.
 */
import { homeOf, pathRoot, splitPath } from './path-text.ts';

/** Names of files and folders, at any depth. The second pattern matches short names, which Windows gives to all others. */
const NAMES = [
  /^\.git(?:config|modules|attributes)?$/iu,
  /^[\w$]{1,8}~\d{1,3}(?:\.\w{1,3})?$/iu,
  /^\.(?:envrc|vscode|idea|husky|mcp\.json|claude|codex|agents|ssh)$/iu,
  /^AGENTS\.md$/iu,
  // Shells, also their folders such as .bashrc.d, and what a login reads.
  /^\.(?:bash|zsh|ksh|mksh|csh|tcsh|fish)[\w.-]{0,100}$/iu,
  /^\.(?:z?profile|z?login|z?logout|shrc|shinit)(?:[.-][\w.-]{0,100})?$/iu,
  /^\.(?:inputrc|pam_environment|login_conf|xprofile|xinitrc|xsession|xsessionrc|xserverrc)$/iu,
];
/** Folders, as steps that follow each other. */
const FOLDERS =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.service\/MEMORY\.md|\.config\/(?:autostart|systemd|environment\.d|fish|git|plasma-workspace)|\.local\/share\/systemd|Library\/Launch(?:Agents|Daemons)|Start Menu\/Programs\/Startup|(?:etc|lib)\/systemd|etc\/(?:profile\.d|init\.d|cron[\w.]{0,20}|xdg\/autostart)|spool\/cron)(?:\/|$)/iu;
/** Directly in the working directory these make it a bare repository, which git reads like a folder `.git`. */
const BARE = /^(?:(?:HEAD|config)$|(?:objects|refs|hooks)(?:\/|$))/iu;
/** Characters that a file system of macOS ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Returns what makes a path protected, such as `.git` or `.github/workflows`; undefined if it is not.
 * @param directory the working directory of the chat, absolute
 */
export function protectedPath(path: string, directory: string | null = null): string | undefined {
  const steps = splitPath(path).map(plainName);
  const name = steps.find(step => NAMES.some(pattern => pattern.test(step)));
  if (name !== undefined) return name;
  const folder = FOLDERS.exec(steps.join('/'))?.[0];
  if (folder !== undefined) return trimSlashes(folder);
  const below = directory === null ? undefined : stepsBelow(directory, path);
  const layout = below && BARE.exec(below.map(plainName).join('/'))?.[0];
  return layout ? trimSlashes(layout) : undefined;
}

/**
 * Whether a path is a file below the directory, and not protected. If the directory is a home directory or above one, no
 * file or folder with a dot at the beginning of its name counts.
 * @param homes further home directories, for machines that keep them elsewhere
 */
export function isEditBelow(directory: string, path: string, homes: readonly string[] = []): boolean {
  const below = stepsBelow(directory, path);
  if (below === undefined || below.length === 0 || splitPath(path).includes('..')) return false;
  // Windows drops dots and spaces at the end of a name, and treats the text after a colon as a stream of the file.
  if (below.some(step => step.includes(':'))) return false;
  if (protectedPath(path, directory) !== undefined) return false;
  return !isInHome(directory, path, homes) || !below.some(step => plainName(step).startsWith('.'));
}

/** The steps from the directory to the path; undefined if the path is elsewhere. */
function stepsBelow(directory: string, path: string): string[] | undefined {
  const base = splitPath(directory);
  const steps = splitPath(path);
  const inside = pathRoot(directory) === pathRoot(path) && base.every((step, index) => step === steps[index]);
  return inside ? steps.slice(base.length) : undefined;
}

/** Whether the path is in a home directory that is the directory or below it. */
function isInHome(directory: string, path: string, homes: readonly string[]): boolean {
  const found = homeOf(path);
  return [...homes, ...(found === undefined ? [] : [found])].some(
    home => stepsBelow(directory, home) !== undefined && stepsBelow(home, path) !== undefined,
  );
}

/** Returns a name as the system compares it: without ignored characters, streams, and dots and spaces at its end. */
function plainName(step: string): string {
  const [name = ''] = step.replace(IGNORED, '').split(':');
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return name.slice(0, end);
}

const trimSlashes = (text: string): string =>
  text
    .split('/')
    .filter(step => step !== '')
    .join('/');
