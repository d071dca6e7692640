/**
 * Lists the places that usually hold keys or passwords (CONSENT-5). The kernel cannot access the machine of a client, so
 * it judges paths there by their text; the machine itself resolves links.
 */
import { homeOf, pathRoot, splitPath } from './path-text.ts';

/** `unless_certificate`: the content decides, because the same names are used for keys and for certificates. */
export type Secrecy = 'secret' | 'unless_certificate' | null;

/** Secret places below the home directory: whole directories, or single files. */
export const SECRETS_AT_HOME: readonly string[] = [
  // Keys and tokens of programs.
  ...[
    '.ssh',
    '.aws',
    '.azure',
    '.gnupg',
    '.kube',
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.npmrc',
    '.pypirc',
  ],
  ...[
    '.config/gh',
    '.config/glab-cli',
    '.config/hub',
    '.config/gcloud',
    '.config/doctl',
    '.config/op',
    '.op',
  ],
  ...['.config/git/credentials', '.config/rclone/rclone.conf', '.config/containers/auth.json'],
  ...['.docker/config.json', '.pgpass', '.my.cnf', '.vault-token', '.s3cfg', '.boto', '.composer/auth.json'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml'],
  ...['.terraform.d/credentials.tfrc.json', '.cache/huggingface/token', '.huggingface/token'],
  ...['.claude/.credentials.json', '.codex/auth.json'],
  // Browser profiles.
  ...['.mozilla', '.thunderbird', '.config/chromium', '.config/google-chrome', '.config/google-chrome-beta'],
  ...['.config/BraveSoftware', '.config/microsoft-edge', '.config/opera', '.config/vivaldi'],
  ...['snap/firefox', 'snap/chromium', 'snap/thunderbird', '.var/app/org.mozilla.firefox'],
  ...['.var/app/org.mozilla.Thunderbird', '.var/app/org.chromium.Chromium', '.var/app/com.google.Chrome'],
  ...['.var/app/com.brave.Browser', '.var/app/com.microsoft.Edge'],
  ...['Library/Application Support/Firefox', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Chromium', 'Library/Application Support/BraveSoftware'],
  ...['Library/Application Support/Microsoft Edge', 'Library/Application Support/Arc'],
  ...['Library/Safari', 'Library/Cookies'],
  // Keyrings and password stores.
  ...['.local/share/keyrings', '.local/share/kwalletd', '.password-store', '.local/share/gopass'],
  ...['.config/keepassxc', '.config/Bitwarden', '.config/Bitwarden CLI', '.config/1Password'],
  ...['Library/Keychains', 'Library/Application Support/Bitwarden', 'Library/Application Support/1Password'],
];

/** @param name the last step of a path, in lower case */
export function secrecyOfName(name: string): Secrecy {
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)/.test(name)) return name.endsWith('.pub') ? null : 'secret';
  if (name === '.env') return 'secret';
  if (name.startsWith('.env.')) return /\.(?:example|sample|template|dist)$/.test(name) ? null : 'secret';
  return name.endsWith('.key') || name.endsWith('.pem') ? 'unless_certificate' : null;
}

/** The actions whose result contains something of a file. */
const READS = ['read', 'read_bytes', 'find_bytes'];

/**
 * Whether an operation may read a secret place. A certificate counts, because the text of its path does not show what it
 * is.
 * @param rules the setting `tools.secret_paths`; the last one that covers the path counts
 */
export function isSecretRead(action: string, path: unknown, rules: readonly string[] = []): boolean {
  if (!READS.includes(action) || typeof path !== 'string') return false;
  const last = rules.findLast(rule => isCovered(path, rule.replace(/^!/, '')));
  return last === undefined ? isSecretPath(path) : !last.startsWith('!');
}

/**
 * Whether a path may be a secret place. A relative path may begin in a home directory.
 * @param homes further home directories, for machines that keep them elsewhere
 */
export function isSecretPath(path: string, homes: readonly string[] = []): boolean {
  const whole = plainPath(path);
  if (secrecyOfName(lastStep(whole)) !== null) return true;
  return stepsBelowHome(whole, homes).some(steps => PLACES.some(place => isBelow(steps, place)));
}

/** The path below each home directory that contains it. */
function stepsBelowHome(whole: string, homes: readonly string[] = []): string[] {
  if (pathRoot(whole) === '') return [whole];
  const found = [homeOf(whole) ?? [], homes.map(plainPath)].flat();
  return found.flatMap(home => (whole.startsWith(`${home}/`) ? whole.slice(home.length + 1) : []));
}

/** Whether a rule of the settings, without its `!`, covers a path. */
function isCovered(path: string, rule: string): boolean {
  const whole = plainPath(path);
  const place = plainPath(rule);
  if (place === '~') return homeOf(whole) !== undefined;
  if (place.startsWith('~/')) return stepsBelowHome(whole).some(steps => isBelow(steps, place.slice(2)));
  return pathRoot(rule) === '' ? isNameLike(lastStep(whole), place) : isBelow(whole, place);
}

/** Whether a name matches a pattern with `*`. Each part is searched once, so the time is linear in the name. */
export function isNameLike(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Case is ignored: on some file systems both spellings are the same file. */
function plainPath(path: string): string {
  const steps: string[] = [];
  for (const step of splitPath(path.normalize('NFC').toLowerCase())) {
    if (step === '..') steps.pop();
    else steps.push(step);
  }
  return `${pathRoot(path) === '/' ? '/' : ''}${steps.join('/')}`;
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const PLACES = SECRETS_AT_HOME.map(place => place.toLowerCase());
const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
