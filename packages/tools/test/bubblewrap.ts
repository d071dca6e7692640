/** Says whether tests can use bubblewrap here. */
import { execFileSync } from 'node:child_process';

export function bubblewrapWorks(): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
