/** Paths in settings: `~` is the home folder, and every path comes out absolute. */
import { dirname, join, resolve } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';

interface Bases {
  home: string;
  cwd: string;
  file: string | null;
  /** A flag or a variable said this setting. */
  said(path: readonly string[]): boolean;
}

/** A relative path of the file counts from the file's folder, one of a flag or variable from where the kernel starts. */
export function absolutePaths(settings: Settings, { home, cwd, file, said }: Bases): Settings {
  const absolute = (path: string, setting: readonly string[]) => {
    const base = file === null || said(setting) ? cwd : dirname(file);
    return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(base, path);
  };
  const { socket_dir, servers } = settings.modules;
  return {
    ...settings,
    data_dir: absolute(settings.data_dir, ['data_dir']),
    modules: {
      socket_dir: socket_dir === null ? null : absolute(socket_dir, ['modules', 'socket_dir']),
      servers: Object.fromEntries(
        Object.entries(servers).map(([name, server]) => [
          name,
          server.socket === undefined
            ? server
            : { ...server, socket: absolute(server.socket, ['modules', 'servers', name, 'socket']) },
        ]),
      ),
    },
  };
}
